// Makes the pocket page's folder, in which `tilelens.wasm` is already: `node bundle.js FOLDER`. It is the phone's page, with the
// evening, and with the reader in place of the server.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";

/** The size over the wire, in bytes, that a phone is given at most. */
const MOST = 6 * 2 ** 20;

const here = import.meta.dirname ?? new URL(".", import.meta.url).pathname;
const [own, phone, artwork] = ["page", "../src/server/pages", "../datasets/artwork"].map((folder) => resolve(here, folder));
const to = resolve(process.argv[2]);

/** A module of the pocket's own stands in for the phone's of the same name: the way to the server leads to the reader. */
const substitution = {
  name: "substitution",
  setup: (/** @type {import("esbuild").PluginBuild} */ bundler) =>
    bundler.onResolve({ filter: /^\.\/[\w-]+\.js$/ }, ({ path, resolveDir }) =>
      [own, phone].includes(resolveDir) ? { path: [own, phone].map((folder) => join(folder, path)).find(existsSync) } : null),
};
await build({
  entryPoints: [join(phone, "phone.js"), ...["pocket.js", "evening.js", "worker.js"].map((name) => join(own, name))],
  outdir: join(to, "assets"), entryNames: "[name]", chunkNames: "[name]-[hash]",
  bundle: true, splitting: true, format: "esm", target: "es2022", minify: true, plugins: [substitution], logLevel: "warning",
});

/** Copies files of a folder that a pattern names. */
function copy(from, pattern, into) {
  mkdirSync(into, { recursive: true });
  for (const name of readdirSync(from).filter((name) => pattern.test(name))) copyFileSync(join(from, name), join(into, name));
}
copy(phone, /^(table\.css|phone\.css)$/, join(to, "assets"));
const words = resolve(here, "../crates/scoring/src/words");
for (const name of readdirSync(words)) copyFileSync(join(words, name), join(to, "assets", `words.${name}`));
copy(own, /^pocket\.css$/, join(to, "assets"));
copy(own, /^(manifest\.webmanifest|icon-.*\.png)$/, to);
copy(artwork, /\.svg$/, join(to, "faces"));

const part = (name) => readFileSync(join(own, name), "utf8");
const page = readFileSync(join(phone, "phone.html"), "utf8")
  .replace(/^ *<\/head>/m, (end) => part("head.html") + end)
  .replace(/^ *<\/main>/m, (end) => part("evening.html") + end)
  .replace(/^ *<body.*\n/m, (begin) => begin + part("newer.html"));
writeFileSync(join(to, "index.html"), page);

// One version for all files, each with its hash as a browser checks it: the page changes as a whole.
const names = readdirSync(to, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(to.length + 1)).filter((name) => name !== "service.js").sort();
const contents = names.map((name) => readFileSync(join(to, name)));
const files = names.map((name, place) => [name === "index.html" ? "./" : `./${name}`, createHash("sha256").update(contents[place]).digest("base64")]);
const version = createHash("sha256").update(JSON.stringify(files)).digest("hex").slice(0, 16);
const service = `const VERSION = ${JSON.stringify(version)};\nconst FILES = ${JSON.stringify(files)};\n${part("service.js")}`;
writeFileSync(join(to, "service.js"), service);

const size = [...contents, Buffer.from(service)].reduce((sum, content) => sum + gzipSync(content, { level: 9 }).length, 0);
console.log(`${to}: version ${version}, ${(size / 2 ** 20).toFixed(2)} MB over the wire`);
if (size > MOST) {
  console.error(`more than ${MOST / 2 ** 20} MB`);
  process.exit(1);
}
