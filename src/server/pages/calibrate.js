// The table's corners: shown over the picture, and marked by four clicks.

let clicks = null;

/** Whether corners are being marked. */
export const marking = () => clicks !== null;

function shape(points, name) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", points.length > 2 ? "polygon" : "polyline");
  element.setAttribute("points", points.map((point) => point.join(",")).join(" "));
  element.classList.add(name);
  return element;
}

/** Draws the corners of a source's table, or those that have been clicked so far. */
export function outline(boxes, source) {
  if (clicks) return;
  const corners = source?.corners;
  if (!corners) return boxes.replaceChildren();
  boxes.setAttribute("viewBox", `0 0 ${source.picture[0]} ${source.picture[1]}`);
  boxes.replaceChildren(shape(corners, "table"));
}

/** Waits for four clicks on the picture, then gives its size and the corners. */
export function marked(image, boxes, { told, done }) {
  const names = ["upper left", "upper right", "lower right", "lower left"];
  const size = [image.naturalWidth, image.naturalHeight];
  if (!size[0]) return told("There is no picture yet.");
  clicks = [];
  const ask = () => told(`Click the table’s ${names[clicks.length]} corner (Escape: leave it).`);
  const draw = () => {
    boxes.setAttribute("viewBox", `0 0 ${size[0]} ${size[1]}`);
    boxes.replaceChildren(
      ...(clicks.length > 1 ? [shape(clicks, "table")] : []),
      ...clicks.map(([x, y]) => {
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
  const key = (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    end();
    told("");
    boxes.replaceChildren();
  };
  const click = (event) => {
    const area = boxes.getBoundingClientRect();
    clicks.push([((event.clientX - area.left) / area.width) * size[0], ((event.clientY - area.top) / area.height) * size[1]]);
    draw();
    if (clicks.length < 4) return ask();
    const corners = clicks;
    end();
    told("");
    done(size, corners);
  };
  boxes.classList.add("marking");
  boxes.addEventListener("click", click);
  document.addEventListener("keydown", key, true);
  draw();
  ask();
}
