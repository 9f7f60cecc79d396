// The overlay's panels: how they come and go, at most one change a second, and where they lie.

/** How long a panel or a row takes to come, in milliseconds; the next row of a story follows as long after it. */
const COMES = 450;
const GOES = 300;
const EASED = "cubic-bezier(.2, .7, .2, 1)";
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** How something comes: not moved where less motion is wanted, and never half seen through before a colour that is keyed out. */
function coming() {
  const keyed = "background" in document.documentElement.dataset;
  return {
    visibility: ["hidden", "visible"],
    ...(!keyed && { opacity: [0, 1] }),
    ...(!still.matches && { transform: ["translateY(1rem)", "none"] }),
  };
}

/** Lets something come after so many steps of a story. */
export function enter(element, step = 0) {
  element.animate(coming(), { delay: step * COMES, duration: COMES, easing: EASED, fill: "backwards" });
}

const leaving = new Map();

function leave(panel) {
  if (panel.hidden || leaving.has(panel)) return;
  const backwards = Object.fromEntries(Object.entries(coming()).map(([of, [from, to]]) => [of, [to, from]]));
  panel.animate(backwards, { duration: GOES, easing: "ease-in", fill: "forwards" });
  leaving.set(panel, setTimeout(() => {
    panel.hidden = true;
    stay(panel);
  }, GOES));
}

/** Whatever was about to leave stays. */
function stay(panel) {
  clearTimeout(leaving.get(panel));
  leaving.delete(panel);
  for (const animation of panel.getAnimations()) if (animation.effect.getTiming().fill === "forwards") animation.cancel();
}

const filled = new WeakMap();

/** Fills an element where what it says has changed, else leaves it alone, so that nothing is replayed. */
export function fill(element, what, make) {
  const text = JSON.stringify(what);
  if (filled.get(element) === text) return false;
  filled.set(element, text);
  element.replaceChildren(...make(what));
  return true;
}

const scenes = new WeakMap();

/** Shows a panel, or lets it leave where `scene` is null. It comes anew where the scene is another one: after `step`
 *  steps of the story. */
export function show(panel, scene, step = 0) {
  const before = scenes.get(panel) ?? null;
  if (before === scene) return;
  scenes.set(panel, scene);
  if (scene === null) return leave(panel);
  stay(panel);
  panel.hidden = false;
  enter(panel, step);
}

/** Calls `show` with the newest of what it is given, and at most once a second where that has changed. */
export function paced(show, pause = 1000) {
  let shown;
  let next;
  let timer = null;
  let changed = -Infinity;
  const change = () => {
    timer = null;
    if (next.text === shown) return;
    [shown, changed] = [next.text, performance.now()];
    show(next.what);
  };
  return (what) => {
    next = { what, text: JSON.stringify(what) };
    if (timer !== null) return;
    const wait = changed + pause - performance.now();
    if (wait <= 0) change();
    else if (next.text !== shown) timer = setTimeout(change, wait);
  };
}

const area = (a, b) => Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left)) * Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));

/** Where tiles lie on the page, over which the camera's picture is as large as it fits. */
function boxes(lies) {
  if (!lies) return [];
  const { width, height } = lies.image;
  const scale = Math.min(innerWidth / width, innerHeight / height);
  const [left, top] = [(innerWidth - width * scale) / 2, (innerHeight - height * scale) / 2];
  return lies.tiles.map((corners) => {
    const [xs, ys] = [0, 1].map((axis) => corners.map((corner) => corner[axis] * scale));
    return { left: left + Math.min(...xs), right: left + Math.max(...xs), top: top + Math.min(...ys), bottom: top + Math.max(...ys) };
  });
}

/** The rectangle of a panel at a place, such as `bottom-left` or `top`, so far from the edge. */
function rectangle({ offsetWidth: width, offsetHeight: height }, place, margin, lift) {
  const left = place.endsWith("left") ? margin : place.endsWith("right") ? innerWidth - margin - width : (innerWidth - width) / 2;
  const top = place.startsWith("top") ? margin + lift : innerHeight - margin - lift - height;
  return { left, top, right: left + width, bottom: top + height };
}

/** Lays panels out. Each is `{ panel, places, fixed }`: where it may lie, the usual place first. It lies where it covers
 *  least of other panels and then of the tiles that it explains, and stays there unless they come to lie under it;
 *  a fixed one lies where it was told to, beyond those that lie there. */
export function arrange(panels, lies, margin) {
  const tiles = boxes(lies);
  const taken = [];
  const on = panels.filter(({ panel }) => !panel.hidden && !leaving.has(panel));
  for (const { panel, places, fixed } of [...on.filter((one) => one.fixed), ...on.filter((one) => !one.fixed)]) {
    const gap = margin / 3;
    const lift = (place) => taken.filter((other) => other.place === place).reduce((sum, { bottom, top }) => sum + bottom - top + gap, 0);
    const tried = places.map((place) => {
      const box = rectangle(panel, place, margin, fixed ? lift(place) : 0);
      const covered = (some) => Math.round(some.reduce((sum, other) => sum + area(box, other), 0));
      return { place, ...box, cost: [covered(taken), covered(tiles)] };
    });
    const stays = tried.find(({ place, cost: [panels, tiles] }) => place === panel.dataset.place && !panels && !tiles);
    const best = fixed ? tried[0] : stays ?? tried.reduce((one, other) =>
      (other.cost[0] - one.cost[0] || other.cost[1] - one.cost[1]) < 0 ? other : one);
    panel.dataset.place = best.place;
    panel.style.left = `${Math.round(best.left)}px`;
    panel.style.top = `${Math.round(best.top)}px`;
    taken.push(best);
  }
}
