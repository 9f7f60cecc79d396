// The overlay beside the camera on the control page, as viewers have it and as it will be after *Confirm*. Nothing of it is loaded
// while its part is folded.
import { all, at } from "./kit.js";

function show() {
  for (const frame of /** @type {HTMLIFrameElement[]} */ (/** @type {unknown} */ (all(at("overlays"), "iframe")))) {
    const address = at("overlays").open ? frame.dataset.address ?? "" : "about:blank";
    if (frame.getAttribute("src") !== address) frame.src = address;
  }
}

at("overlays").addEventListener("toggle", show);
show();
