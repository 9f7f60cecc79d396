// Writes ids.d.ts: the elements of the pages by their ids, so that tsc knows what an id names, and that it names something.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";

const FOLDERS = ["../../src/server/pages/", "../../web/page/"].map((folder) => new URL(folder, import.meta.url));

/** @type {Map<string, Set<string>>} */
const tags = new Map();
for (const folder of FOLDERS) {
  for (const name of readdirSync(folder).filter((name) => name.endsWith(".html"))) {
    for (const [, tag, id] of readFileSync(new URL(name, folder), "utf8").matchAll(/<(\w+)[^>]*? id="([\w-]+)"/g)) {
      tags.set(id, (tags.get(id) ?? new Set()).add(tag));
    }
  }
}
const type = (tag) => (tag === "svg" ? "SVGSVGElement" : `HTMLElementTagNameMap["${tag}"]`);
const lines = [...tags].sort().map(([id, all]) => `  "${id}": ${[...all].map(type).join(" & ")};`);
writeFileSync(new URL("ids.d.ts", import.meta.url), `interface Ids {\n${lines.join("\n")}\n}\n`);
