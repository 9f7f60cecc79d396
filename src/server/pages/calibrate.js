// The table's corners: shown over the picture, and marked by four clicks.
import { WINDS } from "./hand.js";
import { points, shape } from "./kit.js";
import { t } from "./lang.js";

let isMarking = false;

/** Whether corners are being marked. */
export const marking = () => isMarking;

/** The table's edge through some of its corners. @param {Point[]} corners */
const edge = (corners) => shape(corners.length > 2 ? "polygon" : "polyline", { points: points(corners), class: "table" });

/** Sorts clicked corners clockwise, the upper left one first. @param {Point[]} corners */
export function clockwise(corners) {
  const [x, y] = [0, 1].map((axis) => corners.reduce((sum, corner) => sum + corner[axis], 0) / corners.length);
  /** @param {Point} corner */
  const turn = (corner) => Math.atan2(corner[1] - y, corner[0] - x);
  const round = [...corners].sort((a, b) => turn(a) - turn(b));
  const sums = round.map((corner) => corner[0] + corner[1]);
  const first = sums.indexOf(Math.min(...sums));
  return [...round.slice(first), ...round.slice(0, first)];
}

/** The edges of the table in the order of play. */
const IN_PLAY = ["bottom", "right", "top", "left"];

/** Where East sits in the first deal of the round, by the seats that a source shows. @param {Source["seats"]} seats */
export function eastOf(seats) {
  const wind = WINDS.find((one) => seats?.[one]);
  return wind && IN_PLAY[(IN_PLAY.indexOf(seats?.[wind] ?? "") - WINDS.indexOf(wind) + 4) % 4];
}

/** The corners of a source's table and who sits where now, over a picture of that size.
 *  @param {Source | undefined} source
 *  @param {[number, number]} size
 *  @param {(wind: string) => string} windAt
 *  @returns {SVGElement[]} */
export function outline(source, [width, height], windAt) {
  const { corners, picture, seats = {} } = source ?? {};
  if (!corners || !picture) return [];
  const edges = ["top", "right", "bottom", "left"];
  const letters = Object.entries(seats).map(([seat, edge]) => {
    const [a, b] = [corners[edges.indexOf(edge)], corners[(edges.indexOf(edge) + 1) % 4]];
    return shape("text", { x: (a[0] + b[0]) / 2, y: (a[1] + b[1]) / 2, "font-size": picture[0] / 25 }, t(windAt(seat)));
  });
  const all = shape("g", { transform: `scale(${width / picture[0]} ${height / picture[1]})` });
  all.append(edge(corners), ...letters);
  return [all];
}

/** Waits for four clicks on the picture, then gives its size and the corners.
 *  @param {HTMLImageElement} image
 *  @param {SVGSVGElement} boxes
 *  @param {{ hint: (text: string) => unknown, done: (size: Point, corners: Point[]) => unknown }} calls */
export function marked(image, boxes, { hint, done }) {
  if (isMarking) return; // they are being marked already
  const names = [t("upper left"), t("upper right"), t("lower right"), t("lower left")];
  const size = /** @type {Point} */ ([image.naturalWidth, image.naturalHeight]);
  if (!size[0]) return hint(t("There is no picture yet."));
  /** @type {Point[]} */
  const corners = [];
  isMarking = true;
  /** @type {Point} */
  let cross = [size[0] / 2, size[1] / 2]; // for the keyboard
  const ask = () => hint(t("Click the table’s {corner} corner, or move there with the arrows (Shift: slowly) and press Enter. Escape leaves it.", { corner: names[corners.length] }));
  const draw = () => {
    boxes.setAttribute("viewBox", `0 0 ${size[0]} ${size[1]}`);
    boxes.replaceChildren(
      ...(corners.length > 1 ? [edge(corners)] : []),
      ...[...corners, cross].map(([x, y]) => shape("circle", { cx: x, cy: y, r: size[0] / 200 })),
    );
  };
  const end = () => {
    isMarking = false;
    boxes.removeEventListener("click", click);
    document.removeEventListener("keydown", key, true);
    boxes.classList.remove("marking");
  };
  /** @param {Point} point */
  const place = (point) => {
    corners.push(point);
    draw();
    if (corners.length < 4) return ask();
    end();
    hint("");
    done(size, clockwise(corners));
  };
  /** @type {Record<string, Point>} */
  const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  /** @param {KeyboardEvent} event */
  const key = (event) => {
    const way = ways[event.key];
    const step = event.shiftKey ? 1 : size[0] / 100;
    if (way) {
      cross = /** @type {Point} */ (cross.map((at, axis) => Math.max(0, Math.min(size[axis], at + way[axis] * step))));
      draw();
    } else if (event.key === "Enter") place(cross);
    else if (event.key === "Escape") {
      end();
      hint("");
      boxes.replaceChildren();
    } else return;
    event.stopPropagation();
    event.preventDefault();
  };
  /** @param {MouseEvent} event */
  const click = (event) => {
    const area = boxes.getBoundingClientRect();
    place([((event.clientX - area.left) / area.width) * size[0], ((event.clientY - area.top) / area.height) * size[1]]);
  };
  boxes.classList.add("marking");
  boxes.addEventListener("click", click);
  document.addEventListener("keydown", key, true);
  draw();
  ask();
}
