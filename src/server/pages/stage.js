// The overlay's panels: how they come and go, at most one change a second, their places, and how large their texts are.

/** @typedef {{ left: number, top: number, right: number, bottom: number }} Box */

/** How long a panel or a row takes to come, in milliseconds; the next row of a story follows as long after it. */
const COMES = 300;
const GOES = 250;
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
    shown = next.text;
    show(next.what);
    // Once it is drawn, which takes a busy machine a while: from then on viewers see it.
    changed = performance.now();
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

/** Counts a number in an element from what it was to what it is, after `step` steps of the story; `worded` writes the steps
 *  between, `to` stands at the end.
 *  @param {HTMLElement} element
 *  @param {{ from: number, to: number, last: string, worded: (value: number) => string }} numbers */
export function count(element, { from, to, last, worded }, step = 0) {
  if (still.matches) return;
  element.textContent = worded(from);
  const begins = performance.now() + step * COMES;
  /** @param {number} now */
  const tick = (now) => {
    const part = Math.max(0, (now - begins) / COMES);
    element.textContent = part < 1 ? worded(Math.round(from + (to - from) * part)) : last;
    if (part < 1 && element.isConnected) requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
}

/** Whether all of an element is seen. @param {Element} element */
const fits = (element) => element.scrollWidth <= element.clientWidth + 1 && element.scrollHeight <= element.clientHeight + 1;

/** @type {WeakMap<Element, string>} */
const names = new WeakMap();
/** @param {string} word */
const initial = (word) => `${[...word][0]}.`;

/** Makes a name fit: smaller, then on two lines, then with initials. @param {HTMLElement} name */
function fitName(name) {
  const whole = names.get(name) ?? name.textContent ?? "";
  names.set(name, whole);
  const words = whole.split(/[\s・·]+/);
  const initials = words.map(initial);
  const looks = [[whole, ""], [whole, "smaller"], [whole, "twice"], [[...initials.slice(0, -1), words.at(-1)].join(" "), "twice"], [initials.join(" "), "twice"], [initials[0], "smaller"]];
  for (const [text, look] of looks) {
    name.textContent = text;
    name.className = `name ${look}`;
    if (fits(name)) return;
  }
}

/** The sizes that the texts of a panel may have: as large as fits. */
const SCALES = [1, 0.92, 0.85, 0.78, 0.71, 0.64, 0.57, 0.5];

/** Makes the texts of a panel, and the names in it, as large as fits. @param {HTMLElement} panel */
export function fitTexts(panel) {
  for (const scale of SCALES) {
    panel.style.setProperty("--k", String(scale));
    for (const name of /** @type {NodeListOf<HTMLElement>} */ (panel.querySelectorAll(".name, .from bdi"))) fitName(name);
    if (fits(panel)) return;
  }
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

const CORNERS = ["top-left", "top", "top-right", "bottom-left", "bottom", "bottom-right"];
/** The corners' elements, in which panels are stacked.
 *  @type {Record<string, HTMLElement>} */
let corners = {};

/** Makes the corners. @param {HTMLElement} stage */
export function makeCorners(stage) {
  corners = Object.fromEntries(CORNERS.map((corner) => [corner, Object.assign(document.createElement("div"), { className: `corner ${corner}` })]));
  stage.append(...Object.values(corners));
}

/** A panel with its home, a corner; a fixed one stays there whatever lies under it.
 *  @typedef {{ panel: HTMLElement, home: string, fixed: boolean }} Housed */

/** The ways to lay the panels out: each at home first, then all of them above or all below, and each way mirrored. */
const WAYS = ["", "top", "bottom"].flatMap((row) => [{ row, mirrored: false }, { row, mirrored: true }]);
let way = WAYS[0];

/** The corner of a panel. @param {Housed} housed */
function cornerOf({ home, fixed }) {
  if (fixed) return home;
  const [row, side] = home.split("-");
  const turned = way.mirrored && side ? { left: "right", right: "left" }[side] : side;
  return [way.row || row, ...(turned ? [turned] : [])].join("-");
}

/** Where a panel lies, also one that is still on its way. @param {HTMLElement} panel */
function boxOf(panel) {
  const corner = /** @type {HTMLElement} */ (panel.parentElement).getBoundingClientRect();
  const [left, top] = [corner.left + panel.offsetLeft, corner.top + panel.offsetTop];
  return { left, top, right: left + panel.offsetWidth, bottom: top + panel.offsetHeight };
}

/** How much of the tiles is covered by panels. @param {Housed[]} panels
 *  @param {Box[]} tiles */
const covered = (panels, tiles) => Math.round(panels.filter(({ panel }) => !panel.hidden)
  .reduce((sum, { panel }) => tiles.reduce((all, tile) => all + area(boxOf(panel), tile), sum), 0));

/** The least height that a story is made smaller to, as a part of the page's. */
const LEAST = 0.2;

/** Makes a panel lower, until neither it nor what stands in its corner lies over one of these boxes. @param {HTMLElement} panel
 *  @param {Box[]} boxes */
function lower(panel, boxes) {
  if (panel.hidden) return;
  const corner = /** @type {HTMLElement} */ (panel.parentElement);
  const isBelow = corner.className.includes("bottom");
  const excess = Math.max(0, .../** @type {HTMLElement[]} */ ([...corner.children]).map(boxOf).flatMap((box) =>
    boxes.filter((other) => area(box, other)).map((other) => (isBelow ? other.bottom - box.top : box.bottom - other.top))));
  if (!excess) return;
  panel.style.maxHeight = `${Math.max(panel.offsetHeight - excess - 8, LEAST * innerHeight)}px`;
  fitTexts(panel);
}

/** Puts panels in their corners. Where they would cover the tiles that they are about, or one another, `scales` is made smaller; if
 *  that is not enough all of them are laid out another way, for as long as these tiles are there.
 *  @param {Housed[]} panels
 *  @param {Lies | null} lies
 *  @param {HTMLElement} scales */
export function arrange(panels, lies, scales) {
  const tiles = boxes(lies);
  /** @param {typeof way} tried */
  const costs = (tried) => {
    way = tried;
    for (const housed of panels) {
      const corner = corners[cornerOf(housed)];
      if (housed.panel.parentElement !== corner) corner.append(housed.panel);
    }
    scales.style.maxHeight = "";
    if (!scales.hidden) fitTexts(scales);
    const others = panels.filter(({ panel }) => !panel.hidden && panel.parentElement !== scales.parentElement);
    lower(scales, [...tiles, ...others.map(({ panel }) => boxOf(panel))]);
    // What is cut off is worse than what is covered.
    return covered(panels, tiles) + (scales.hidden || fits(scales) ? 0 : innerWidth * innerHeight);
  };
  /** @type {[number, typeof way]} */
  let best = [Infinity, way];
  for (const tried of tiles.length ? [way, ...WAYS] : WAYS.slice(0, 1)) {
    const cost = costs(tried);
    if (cost < best[0]) best = [cost, tried];
    if (!cost) break;
  }
  if (way !== best[1]) costs(best[1]);
}
