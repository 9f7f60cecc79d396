// The viewfinder of the phone page: the camera's picture with a frame for the hand, which is read by itself, and a button. It opens
// where the page may use the camera: over https, or on this machine.

import { shot, watch } from "./glance.js";
import { one } from "./kit.js";
import { FRAME } from "./stillness.js";

/** How often the picture is looked at, in milliseconds. */
const OFTEN = 100;

/** Whether the page may use a camera, and there is one. */
export async function mayFind() {
  if (!isSecureContext || !navigator.mediaDevices?.getUserMedia) return false;
  const devices = await navigator.mediaDevices.enumerateDevices().catch(() => []);
  return devices.some(({ kind }) => kind === "videoinput");
}

/** Draws the frame over the part of the picture that it stands for, as large as the picture is shown.
 *  @param {HTMLVideoElement} video
 *  @param {HTMLElement} frame */
function place({ clientWidth, clientHeight, videoWidth, videoHeight }, frame) {
  const scale = Math.min(clientWidth / videoWidth, clientHeight / videoHeight);
  const [wide, high] = [videoWidth * scale, videoHeight * scale];
  const [left, top, across, down] = FRAME;
  Object.assign(frame.style, {
    left: `${(clientWidth - wide) / 2 + left * wide}px`, top: `${(clientHeight - high) / 2 + top * high}px`,
    width: `${across * wide}px`, height: `${down * high}px`,
  });
}

/** The viewfinder in an element. `take(file)` gets the picture of the button, `read(file)` reads what is in the frame, and
 *  `found(file, reading)` gets a hand that is sure. Gives what opens it, and what lets it read again.
 *  @param {HTMLElement} element
 *  @param {{ take: (file: File) => unknown, read: (file: File) => Promise<PhotoReading>, found: (file: File, reading: PhotoReading) => unknown }} to */
export function finder(element, { take, read, found }) {
  const [frame, line, shoot, close, over] = ["#frame", "p", "#shoot", "#close-finder", "#outlines"].map((css) => one(element, css));
  const video = one(element, "video");
  /** @type {MediaStream | null} */
  let stream = null;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let timer;

  const watcher = watch(video, over, {
    read,
    found: (file, reading) => {
      stop();
      found(file, reading);
    },
    say: (what, parts) => {
      const text = parts.map((part) => (typeof part === "string" ? part : part.textContent)).join("");
      if (element.dataset.hint === what && line.dataset.said === text) return;
      element.dataset.hint = what;
      line.dataset.said = text;
      line.replaceChildren(...parts);
    },
  });
  function stop() {
    clearInterval(timer);
    for (const track of stream?.getTracks() || []) track.stop();
    stream = video.srcObject = null;
    watcher.end();
    element.hidden = true;
  }
  shoot.onclick = async () => {
    if (!video.videoWidth) return;
    const whole = shot(video, [0, 0, 1, 1]);
    stop();
    const file = await whole;
    if (file) take(file);
  };
  close.onclick = stop;
  element.addEventListener("keydown", ({ key }) => key === "Escape" && stop());
  document.addEventListener("visibilitychange", () => document.hidden && stop());
  return {
    open: async () => {
      line.replaceChildren();
      delete element.dataset.hint;
      stream = await navigator.mediaDevices.getUserMedia({ audio: false, video: { facingMode: "environment", width: { ideal: 2560 }, height: { ideal: 1440 } } });
      video.srcObject = stream;
      element.hidden = false;
      await video.play();
      shoot.focus();
      timer = setInterval(() => {
        if (!video.videoWidth) return;
        place(video, frame);
        watcher.look();
      }, OFTEN);
    },
    again: watcher.forget,
  };
}
