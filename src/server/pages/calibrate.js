// The table's corners: shown over the picture, and marked by four clicks.
import { t } from "./lang.js";

let clicks = null;

/** Whether corners are being marked. */
export const marking = () => clicks !== null;

function shape(points, name) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", points.length > 2 ? "polygon" : "polyline");
  element.setAttribute("points", points.map((point) => point.join(",")).join(" "));
  element.classList.add(name);
  return element;
}

/** Sorts clicked corners clockwise, the upper left one first. */
function clockwise(corners) {
  const [x, y] = [0, 1].map((axis) => corners.reduce((sum, corner) => sum + corner[axis], 0) / corners.length);
  const turn = (corner) => Math.atan2(corner[1] - y, corner[0] - x);
  const round = [...corners].sort((a, b) => turn(a) - turn(b));
  const sums = round.map((corner) => corner[0] + corner[1]);
  const first = sums.indexOf(Math.min(...sums));
  return [...round.slice(first), ...round.slice(0, first)];
}

const IN_PLAY = ["bottom", "right", "top", "left"];

/** Where East sits in the first deal of the round, by the seats that a source shows. */
export function eastOf(seats) {
  const seat = ["E", "S", "W", "N"].find((one) => seats?.[one]);
  return seat && IN_PLAY[(IN_PLAY.indexOf(seats[seat]) - "ESWN".indexOf(seat) + 4) % 4];
}

/** The corners of a source's table and who sits where now, over a picture of that size. */
export function outline(source, [width, height], windAt) {
  const corners = source?.corners;
  if (!corners) return [];
  const edges = { top: 0, right: 1, bottom: 2, left: 3 };
  const letters = Object.entries(source.seats).map(([seat, edge]) => {
    const [a, b] = [corners[edges[edge]], corners[(edges[edge] + 1) % 4]];
    const letter = document.createElementNS("http://www.w3.org/2000/svg", "text");
    for (const [name, value] of Object.entries({ x: (a[0] + b[0]) / 2, y: (a[1] + b[1]) / 2, "font-size": source.picture[0] / 25 })) letter.setAttribute(name, value);
    letter.textContent = t(windAt(seat));
    return letter;
  });
  const all = document.createElementNS("http://www.w3.org/2000/svg", "g");
  all.setAttribute("transform", `scale(${width / source.picture[0]} ${height / source.picture[1]})`);
  all.append(shape(corners, "table"), ...letters);
  return [all];
}

/** Waits for four clicks on the picture, then gives its size and the corners. */
export function marked(image, boxes, { hint, done }) {
  if (clicks) return; // they are being marked already
  const names = [t("upper left"), t("upper right"), t("lower right"), t("lower left")];
  const size = [image.naturalWidth, image.naturalHeight];
  if (!size[0]) return hint(t("There is no picture yet."));
  clicks = [];
  let cross = [size[0] / 2, size[1] / 2]; // for the keyboard
  const ask = () => hint(t("Click the table’s {corner} corner, or move there with the arrows (Shift: slowly) and press Enter. Escape leaves it.", { corner: names[clicks.length] }));
  const draw = () => {
    boxes.setAttribute("viewBox", `0 0 ${size[0]} ${size[1]}`);
    boxes.replaceChildren(
      ...(clicks.length > 1 ? [shape(clicks, "table")] : []),
      ...[...clicks, cross].map(([x, y]) => {
        const dot = document.createElementNS("http://www.w3.org/2000/svg", "circle");
        for (const [name, value] of Object.entries({ cx: x, cy: y, r: size[0] / 200 })) dot.setAttribute(name, value);
        return dot;
      }),
    );
  };
  const end = () => {
    clicks = null;
    boxes.removeEventListener("click", click);
    document.removeEventListener("keydown", key, true);
    boxes.classList.remove("marking");
  };
  const place = (point) => {
    clicks.push(point);
    draw();
    if (clicks.length < 4) return ask();
    const corners = clockwise(clicks);
    end();
    hint("");
    done(size, corners);
  };
  const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const key = (event) => {
    const way = ways[event.key];
    const step = event.shiftKey ? 1 : size[0] / 100;
    if (way) {
      cross = cross.map((at, axis) => Math.max(0, Math.min(size[axis], at + way[axis] * step)));
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
