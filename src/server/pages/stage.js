// The overlay's panels: how they come and go, at most one change a second, and their places.

/** @typedef {{ left: number, top: number, right: number, bottom: number }} Box */

/** How long a panel or a row takes to come, in milliseconds; the next row of a story follows as long after it. */
const COMES = 450;
const GOES = 300;
const EASED = "cubic-bezier(.2, .7, .2, 1)";
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** How something comes: not moved where less motion is wanted, and never half seen through before a colour that is keyed out.
 *  @returns {PropertyIndexedKeyframes} */
function coming() {
  const keyed = "background" in document.documentElement.dataset;
  return {
    visibility: ["hidden", "visible"],
    ...(!keyed && { opacity: [0, 1] }),
    ...(!still.matches && { transform: ["translateY(1rem)", "none"] }),
  };
}

/** Delays an element by a number of steps of a story. @param {Element} element */
export function enter(element, step = 0) {
  element.animate(coming(), { delay: step * COMES, duration: COMES, easing: EASED, fill: "backwards" });
}

/** @type {Map<HTMLElement, ReturnType<typeof setTimeout>>} */
const leaving = new Map();

/** @param {HTMLElement} panel */
function leave(panel) {
  if (panel.hidden || leaving.has(panel)) return;
  const backwards = Object.fromEntries(Object.entries(coming()).map(([of, frames]) => [of, [...(/** @type {string[]} */ (frames))].reverse()]));
  panel.animate(backwards, { duration: GOES, easing: "ease-in", fill: "forwards" });
  leaving.set(panel, setTimeout(() => {
    panel.hidden = true;
    stay(panel);
  }, GOES));
}

/** Whatever was about to leave stays. @param {HTMLElement} panel */
function stay(panel) {
  clearTimeout(leaving.get(panel));
  leaving.delete(panel);
  for (const animation of panel.getAnimations()) if (animation.effect?.getTiming().fill === "forwards") animation.cancel();
}

/** @type {WeakMap<Element, string>} */
const filled = new WeakMap();

/** Fills an element if its content has changed, so that nothing is replayed.
 *  @template T
 *  @param {Element} element
 *  @param {T} what
 *  @param {(what: T) => (Node | string)[]} make
 *  @returns {boolean} */
export function fill(element, what, make) {
  const text = JSON.stringify(what);
  if (filled.get(element) === text) return false;
  filled.set(element, text);
  element.replaceChildren(...make(what));
  return true;
}

/** @type {WeakMap<Element, string | null>} */
const scenes = new WeakMap();

/** Shows a panel, or lets it leave where `scene` is null. A new scene makes it come again, after `step`
 *  steps of the story.
 *  @param {HTMLElement} panel
 *  @param {string | null} scene */
export function show(panel, scene, step = 0) {
  const before = scenes.get(panel) ?? null;
  if (before === scene) return;
  scenes.set(panel, scene);
  if (scene === null) return leave(panel);
  stay(panel);
  panel.hidden = false;
  enter(panel, step);
}

/** Calls `show` with the newest of what it is given, and at most once a second where that has changed; at once where it was
 *  decided by somebody.
 *  @template T
 *  @param {(what: T) => unknown} show */
export function paced(show, pause = 1000) {
  /** @type {string | undefined} */
  let shown;
  /** @type {{ what: T, text: string }} */
  let next;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let changed = -Infinity;
  const change = () => {
    timer = undefined;
    if (next.text === shown) return;
    [shown, changed] = [next.text, performance.now()];
    show(next.what);
  };
  return (/** @type {T} */ what, decided = false) => {
    next = { what, text: JSON.stringify(what) };
    if (timer !== undefined && !decided) return;
    clearTimeout(timer);
    timer = undefined;
    const wait = decided ? 0 : changed + pause - performance.now();
    if (wait <= 0) change();
    else if (next.text !== shown) timer = setTimeout(change, wait);
  };
}

/** @param {Box} a
 *  @param {Box} b */
const area = (a, b) => Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left)) * Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));

/** The tiles' places on the page, over which the camera's picture is as large as it fits.
 *  @param {Lies | null} lies
 *  @returns {Box[]} */
function boxes(lies) {
  if (!lies) return [];
  const { width, height } = lies;
  const scale = Math.min(innerWidth / width, innerHeight / height);
  const [left, top] = [(innerWidth - width * scale) / 2, (innerHeight - height * scale) / 2];
  return lies.tiles.map(([x, y, right, bottom]) => ({ left: left + x * scale, right: left + right * scale, top: top + y * scale, bottom: top + bottom * scale }));
}

/** The rectangle of a panel at a place, such as `bottom-left` or `top`, so far from the edge.
 *  @param {HTMLElement} panel
 *  @param {string} place
 *  @param {number} margin
 *  @param {number} lift
 *  @returns {Box} */
function rectangle({ offsetWidth: width, offsetHeight: height }, place, margin, lift) {
  const left = place.endsWith("left") ? margin : place.endsWith("right") ? innerWidth - margin - width : (innerWidth - width) / 2;
  const top = place.startsWith("top") ? margin + lift : innerHeight - margin - lift - height;
  return { left, top, right: left + width, bottom: top + height };
}

/** Every way to take one of each list.
 *  @template T
 *  @param {T[][]} lists
 *  @returns {T[][]} */
const ways = (lists) => lists.reduce((all, list) => all.flatMap((way) => list.map((one) => [...way, one])), /** @type {T[][]} */ ([[]]));

/** Lays panels out. Each is `{ panel, places, fixed }`: its possible places, the usual one first. Together they cover
 *  least of one another, then of the tiles that they explain, and then keep their places; a fixed one stays
 *  at its place, beyond those already there.
 *  @param {{ panel: HTMLElement, places: string[], fixed: boolean }[]} panels
 *  @param {Lies | null} lies
 *  @param {number} margin */
export function arrange(panels, lies, margin) {
  const tiles = boxes(lies);
  const on = panels.filter(({ panel }) => !panel.hidden && !leaving.has(panel));
  /** @type {(Box & { panel: HTMLElement, place: string })[]} */
  const laid = [];
  for (const { panel, places: [place] } of on.filter(({ fixed }) => fixed)) {
    const lift = laid.filter((other) => other.place === place).reduce((sum, { top, bottom }) => sum + bottom - top + margin / 3, 0);
    laid.push({ panel, place, ...rectangle(panel, place, margin, lift) });
  }
  const lists = on.filter(({ fixed }) => !fixed).map(({ panel, places }) => places.map((place, number) => {
    const box = rectangle(panel, place, margin, 0);
    const covered = tiles.reduce((sum, tile) => sum + area(box, tile), 0);
    // A panel that is on moves for its tiles alone; one that comes takes its usual place where it can.
    return { panel, place, ...box, covered, strange: panel.dataset.place ? Number(place !== panel.dataset.place) : number };
  }));
  // A little room is left between panels.
  const room = margin / 4;
  /** @param {Box} box */
  const wider = ({ left, right, top, bottom }) => ({ left: left - room, right: right + room, top: top - room, bottom: bottom + room });
  /** @param {(Box & { covered: number, strange: number })[]} way */
  const cost = (way) => [
    way.reduce((sum, one, place) => sum + [...laid, ...way.slice(place + 1)].reduce((all, other) => all + area(wider(one), other), 0), 0),
    way.reduce((sum, { covered }) => sum + covered, 0),
    way.reduce((sum, { strange }) => sum + strange, 0),
  ].map(Math.round);
  const [best] = ways(lists).map((way) => ({ way, cost: cost(way) })).sort(({ cost: a }, { cost: b }) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
  for (const { panel, place, left, top } of [...laid, ...best.way]) {
    panel.dataset.place = place;
    panel.style.left = `${Math.round(left)}px`;
    panel.style.top = `${Math.round(top)}px`;
  }
  for (const { panel } of panels) if (panel.hidden) delete panel.dataset.place;
}
