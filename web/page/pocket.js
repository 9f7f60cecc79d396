// The page that reads by itself: it is kept on the device, and says when a newer one is there.
import { ready } from "./reader.js";

const bar = document.getElementById("newer");

function offer(waiting) {
  bar.hidden = false;
  bar.querySelector("button").onclick = () => waiting.postMessage("go on");
}

if ("serviceWorker" in navigator && isSecureContext) {
  const kept = await navigator.serviceWorker.register("service.js");
  if (kept.waiting && navigator.serviceWorker.controller) offer(kept.waiting);
  kept.addEventListener("updatefound", () => {
    const next = kept.installing;
    next.addEventListener("statechange", () => next.state === "installed" && navigator.serviceWorker.controller && offer(next));
  });
  let reloads = !!navigator.serviceWorker.controller;
  navigator.serviceWorker.addEventListener("controllerchange", () => reloads && location.reload());
}
ready().catch((error) => {
  document.getElementById("status").textContent = error.message;
});
