// What stays on the phone: the evening's events, and those of earlier evenings. Nothing of it leaves the phone.

import { t } from "./lang.js";

const NOW = "now";

const opened = new Promise((done, failed) => {
  const asked = indexedDB.open("tilelens", 1);
  asked.onupgradeneeded = () => asked.result.createObjectStore("evenings");
  asked.onsuccess = () => done(asked.result);
  asked.onerror = () => failed(new Error(t("This browser keeps nothing: allow it to keep data for this page.")));
});

/** @param {IDBTransactionMode} mode
 *  @param {(all: IDBObjectStore) => IDBRequest | void} work
 *  @returns {Promise<any>} */
async function within(mode, work) {
  const turn = (await opened).transaction("evenings", mode);
  const found = work(turn.objectStore("evenings"));
  return new Promise((done, failed) => {
    turn.oncomplete = () => done(found?.result);
    turn.onerror = turn.onabort = () => failed(turn.error ?? new Error(t("The evening could not be kept.")));
  });
}

/** The evening: `{ events, table, context }`, or nothing. @returns {Promise<Evening | undefined>} */
export const evening = () => within("readonly", (all) => all.get(NOW));

/** Keeps the evening as it is now. @param {Evening} now */
export const keep = (now) => within("readwrite", (all) => all.put(now, NOW));

/** Lays the evening beside the earlier ones, under the time of its first event. @param {Evening} now */
export const close = (now) =>
  within("readwrite", (all) => {
    all.put(now, now.events[0].at);
    all.delete(NOW);
  });

/** The earlier evenings, the last one first. @returns {Promise<(Evening & { name: string })[]>} */
export async function earlier() {
  /** @type {string[]} */
  const names = await within("readonly", (all) => all.getAllKeys());
  /** @type {Evening[]} */
  const all = await within("readonly", (store) => store.getAll());
  return names.map((name, place) => ({ name, ...all[place] })).filter(({ name }) => name !== NOW).reverse();
}

/** What the evening says of the next hand: rules, rulings, round. */
export const played = async () => (await evening().catch(() => null))?.context ?? null;
