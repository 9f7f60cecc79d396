// The finder of the phone page: the camera's picture with a frame for the hand, and hints. It opens where the page may use
// the camera: over https, or on this machine.

import { made, one } from "./kit.js";
import { t } from "./lang.js";

/** @typedef {{ grey: number[], width: number, height: number }} Grey a small picture in grey, 0 to 255 */

/** The hints are made of a small picture in grey, so wide in pixels. */
const WIDTH = 160;
/** How often, in milliseconds. */
const OFTEN = 200;
/** A mean brightness below this, of 255, is too dark. */
const DARK = 40;
/** A mean change of a pixel from one look to the next above this is a hand that shakes. */
const SHAKES = 7;
/** A hand that takes less of the frame's width is too far away. */
const FAR = 0.6;
/** The weakest edge of an object on a surface, in steps of 255. */
const PLAIN = 2;
/** The part of the picture that the frame takes: its left, top, width and height. */
export const FRAME = [0.04, 0.3, 0.92, 0.4];

/** How much of the frame's width is taken by what has edges, as tiles have: 0 to 1. @param {Grey} picture */
export function extent({ grey, width, height }) {
  const [left, top, across, down] = FRAME.map((part, axis) => Math.round(part * [width, height][axis % 2]));
  const edges = Array.from({ length: across - 1 }, (_, x) => {
    let sum = 0;
    for (let y = top; y < top + down; y += 1) sum += Math.min(80, Math.abs(grey[y * width + left + x + 1] - grey[y * width + left + x]));
    return sum / down;
  });
  // A tile is wider than one column: what surrounds it counts with it.
  const smooth = edges.map((_, x) => {
    const around = edges.slice(Math.max(0, x - 3), x + 4);
    return around.reduce((sum, of) => sum + of, 0) / around.length;
  });
  const most = Math.max(...smooth);
  if (most < PLAIN) return 0;
  const strong = 0.35 * most;
  const first = smooth.findIndex((of) => of > strong);
  return first < 0 ? 0 : (smooth.findLastIndex((of) => of > strong) - first + 1) / smooth.length;
}

/** What to do before the picture is taken: `light`, `still`, `closer`, or `good`.
 *  @param {Grey} now
 *  @param {Grey | null} before
 *  @returns {keyof typeof HINTS} */
export function hint(now, before) {
  const mean = now.grey.reduce((sum, of) => sum + of, 0) / now.grey.length;
  if (mean < DARK) return "light";
  const moved = before ? now.grey.reduce((sum, of, place) => sum + Math.abs(of - before.grey[place]), 0) / now.grey.length : 0;
  if (moved > SHAKES) return "still";
  return extent(now) < FAR ? "closer" : "good";
}

const HINTS = {
  light: t("More light"),
  still: t("Hold still"),
  closer: t("Closer: let the hand fill the frame"),
  good: t("Good: press the button"),
};

/** Whether the page may use a camera, and there is one. */
export async function mayFind() {
  if (!isSecureContext || !navigator.mediaDevices?.getUserMedia) return false;
  const devices = await navigator.mediaDevices.enumerateDevices().catch(() => []);
  return devices.some(({ kind }) => kind === "videoinput");
}

/** The finder in an element; `take(file)` gets the picture. Gives what opens it.
 *  @param {HTMLElement} element
 *  @param {(file: File) => unknown} take */
export function finder(element, take) {
  const [frame, said, shoot, close] = ["#frame", "p", "#shoot", "#close-finder"].map((css) => one(element, css));
  const video = one(element, "video");
  const canvas = made("canvas");
  /** @type {MediaStream | null} */
  let stream = null;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let timer;
  /** @type {Grey | null} */
  let before = null;

  /** Draws the frame over the part of the picture that it stands for, as large as the picture is shown. */
  const place = () => {
    const { clientWidth, clientHeight, videoWidth, videoHeight } = video;
    const scale = Math.min(clientWidth / videoWidth, clientHeight / videoHeight);
    const [wide, high] = [videoWidth * scale, videoHeight * scale];
    const [left, top, across, down] = FRAME;
    Object.assign(frame.style, {
      left: `${(clientWidth - wide) / 2 + left * wide}px`, top: `${(clientHeight - high) / 2 + top * high}px`,
      width: `${across * wide}px`, height: `${down * high}px`,
    });
  };
  const look = () => {
    if (!video.videoWidth) return;
    place();
    const height = Math.round((WIDTH * video.videoHeight) / video.videoWidth);
    [canvas.width, canvas.height] = [WIDTH, height];
    const paper = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { willReadFrequently: true }));
    paper.drawImage(video, 0, 0, WIDTH, height);
    const { data } = paper.getImageData(0, 0, WIDTH, height);
    const grey = Array.from({ length: WIDTH * height }, (_, place) => (data[4 * place] * 3 + data[4 * place + 1] * 6 + data[4 * place + 2]) / 10);
    const now = { grey, width: WIDTH, height };
    const what = hint(now, before);
    before = now;
    element.dataset.hint = what;
    if (said.textContent !== HINTS[what]) said.textContent = HINTS[what];
  };
  const stop = () => {
    clearInterval(timer);
    for (const track of stream?.getTracks() || []) track.stop();
    stream = before = video.srcObject = null;
    element.hidden = true;
  };
  shoot.onclick = () => {
    if (!video.videoWidth) return;
    [canvas.width, canvas.height] = [video.videoWidth, video.videoHeight];
    canvas.getContext("2d")?.drawImage(video, 0, 0);
    canvas.toBlob((blob) => {
      stop();
      if (blob) take(new File([blob], "hand.jpg", { type: "image/jpeg" }));
    }, "image/jpeg", 0.92);
  };
  close.onclick = stop;
  element.addEventListener("keydown", ({ key }) => key === "Escape" && stop());
  return async () => {
    said.textContent = "";
    delete element.dataset.hint;
    stream = await navigator.mediaDevices.getUserMedia({ audio: false, video: { facingMode: "environment", width: { ideal: 2560 }, height: { ideal: 1440 } } });
    video.srcObject = stream;
    element.hidden = false;
    await video.play();
    shoot.focus();
    timer = setInterval(look, OFTEN);
  };
}
