// Keeps the page on the device, so that it opens without a network. All files of one version go together.
const VERSION = "@version@";
const FILES = ["@files@"];

self.addEventListener("install", (event) => {
  const fresh = FILES.map((file) => new Request(file, { cache: "no-cache" }));
  event.waitUntil(caches.open(VERSION).then((kept) => kept.addAll(fresh)));
});

self.addEventListener("activate", (event) => {
  const old = async () => {
    for (const name of await caches.keys()) if (name !== VERSION) await caches.delete(name);
    await self.clients.claim();
  };
  event.waitUntil(old());
});

self.addEventListener("message", ({ data }) => data === "go on" && self.skipWaiting());

self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  const kept = async () => {
    const all = await caches.open(VERSION);
    const page = event.request.mode === "navigate" ? await all.match("./") : undefined;
    return page ?? (await all.match(event.request, { ignoreSearch: true })) ?? fetch(event.request);
  };
  event.respondWith(kept());
});
