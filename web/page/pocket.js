// The page that reads by itself: it is kept on the device, and says when a newer one is there.
import { at, one } from "./kit.js";
import { t } from "./lang.js";
import { ready } from "./reader.js";

const bar = at("newer");

/** @param {ServiceWorker} waiting */
function offer(waiting) {
  bar.hidden = false;
  one(bar, "button").onclick = () => waiting.postMessage("go on");
}

if ("serviceWorker" in navigator && isSecureContext) {
  const kept = await navigator.serviceWorker.register("service.js");
  if (kept.waiting && navigator.serviceWorker.controller) offer(kept.waiting);
  /** @param {ServiceWorker | null} next */
  const watch = (next) =>
    next?.addEventListener("statechange", () => {
      if (next.state === "installed" && navigator.serviceWorker.controller) offer(next);
      if (next.state !== "redundant" || kept.active) return;
      bar.textContent = t("This page could not be kept for use without a network: its files do not belong together. Open it again later.");
      bar.hidden = false;
    });
  // The browser looks for an update by itself as the page opens: it may be on its way already.
  watch(kept.installing);
  kept.addEventListener("updatefound", () => watch(kept.installing));
  // The browser may leave its own check for later; without a network there is nothing newer.
  kept.update().catch(() => {});
  const reloads = !!navigator.serviceWorker.controller;
  navigator.serviceWorker.addEventListener("controllerchange", () => reloads && location.reload());
}
ready().catch((error) => {
  at("status").textContent = error.message;
});
