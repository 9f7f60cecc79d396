// A picture that is picked, and how far it is until it has been read. All pages that take pictures use it.
import { one } from "./kit.js";
import { t } from "./lang.js";
import { upload } from "./sending.js";

/** Every kind of picture that the server reads; by name too, since not every system knows every kind. */
export const KINDS = "image/jpeg,image/png,image/webp,image/heic,image/heif,image/tiff,image/bmp,image/gif,"
  + ".jpg,.jpeg,.png,.webp,.heic,.heif,.tif,.tiff,.bmp,.gif";

/** Lets the pickers offer all kinds. Where there is no camera to open, the first is a picker as well.
 *  @param {HTMLInputElement} camera
 *  @param {HTMLInputElement} file */
export function offer(camera, file) {
  file.accept = KINDS;
  camera.accept = "capture" in camera ? "image/*" : KINDS;
}

/** @type {Record<string, string>} */
const NOW = { opening: t("opening the picture"), looking: t("looking for tiles"), naming: t("naming the tiles") };

/** How far it is, in words. @param {Progress} progress */
export function words({ stage, before, share = 0, step = "", reading = 1 }) {
  if (stage === "cut") return t("The server does not answer; trying again …");
  if (stage === "queued" || stage === "waiting") return before ? t("Waiting: {count} before you", { count: before }) : t("Waiting for its turn");
  // In tens: each change is read out to people who do not see it.
  if (stage === "sending") return t("Sending: {percent} %", { percent: 10 * Math.floor(10 * share) });
  if (stage === "reading") return reading > 1 ? t("Reading: {step}, made clearer ({count}) …", { step: NOW[step], count: reading }) : t("Reading: {step} …", { step: NOW[step] });
  return t("Sent; waiting to be read …");
}

/** Shows how far a picture is in a bar, and lets it be cancelled by a button. @param {HTMLElement} box */
export function bar(box) {
  const [meter, text, button] = [one(box, "progress"), one(box, "span"), one(box, "button")];
  /** @type {AbortController | null} */
  let running = null;
  let said = "";
  /** @param {Progress} step */
  const say = (step) => {
    // The bar moves while it is sent; before and after that nobody knows how long it takes.
    if (step.stage === "sending") meter.value = step.share ?? 0;
    else meter.removeAttribute("value");
    if (words(step) !== said) text.textContent = said = words(step);
    box.dataset.stage = step.stage;
  };
  button.onclick = () => running?.abort();
  /** As [`upload`]; a picture that is still on its way gives place to this one. */
  return async (/** @type {string} */ path, /** @type {Record<string, string>} */ asked, /** @type {File} */ file) => {
    running?.abort();
    const own = (running = new AbortController());
    box.hidden = false;
    try {
      return await upload(path, asked, file, (step) => own === running && say(step), own.signal);
    } finally {
      if (own === running) {
        running = null;
        box.hidden = true;
      }
    }
  };
}

/** Shows a picture that was picked; where the browser does not know its kind, the server's copy of it, as soon
 *  as `copy` is called with its address.
 *  @param {HTMLImageElement} image
 *  @param {HTMLElement} note */
export function picture(image, note) {
  let unknown = false;
  /** @type {string | null} */
  let address = null;
  /** @type {string | null} */
  let picked = null;
  const show = () => {
    note.hidden = !unknown || !!address;
    image.hidden = unknown && !address;
    if (unknown && address && image.getAttribute("src") !== address) image.src = address;
  };
  image.onerror = () => {
    if (image.getAttribute("src") !== picked) return;
    unknown = true;
    show();
  };
  return {
    pick: (/** @type {File} */ file) => {
      if (picked) URL.revokeObjectURL(picked);
      [unknown, address, picked] = [false, null, URL.createObjectURL(file)];
      image.src = picked;
      show();
    },
    copy: (/** @type {string} */ of) => {
      address = of;
      show();
    },
  };
}
