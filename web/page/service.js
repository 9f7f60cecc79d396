// Keeps the page on the device, so that it opens without a network. All files of one version go together: each is taken
// only as its hash says, since the folder may be read while somebody copies a newer one over it. Its bundler writes VERSION and
// FILES, each file with its hash, before this.

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

worker.addEventListener("install", (event) => {
  const fresh = FILES.map(([file, hash]) => new Request(file, { cache: "no-cache", integrity: `sha256-${hash}` }));
  event.waitUntil(caches.open(VERSION).then((kept) => kept.addAll(fresh)));
});

worker.addEventListener("activate", (event) => {
  const old = async () => {
    for (const name of await caches.keys()) if (name !== VERSION) await caches.delete(name);
    await worker.clients.claim();
  };
  event.waitUntil(old());
});

worker.addEventListener("message", ({ data }) => data === "go on" && worker.skipWaiting());

worker.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  const kept = async () => {
    const all = await caches.open(VERSION);
    const page = event.request.mode === "navigate" ? await all.match("./") : undefined;
    return page ?? (await all.match(event.request, { ignoreSearch: true })) ?? fetch(event.request);
  };
  event.respondWith(kept());
});
