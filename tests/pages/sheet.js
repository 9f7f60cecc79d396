// Pictures of the overlay: every scene in every layout, theme, language and size, or those that are asked for:
//   node tests/pages/sheet.js scene=win,long layout=table theme=dark lang=en,ja size=1920x1080
// They are written to target/sheets. Other words are options of the page: part=score, place=hand:top. Needs chromedriver.
//   node tests/pages/sheet.js docs           compares the pictures of docs/images/overlay with the pages
//   node tests/pages/sheet.js docs accept    makes them again
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { browser } from "./chromium.js";
import { SCENES } from "./scenes.js";

const ROOT = new URL("../../", import.meta.url);
const OUT = new URL("target/sheets/", ROOT);
const CHOICES = {
  scene: Object.keys(SCENES), layout: ["hand", "table"], theme: ["dark", "light", "felt", "ink"], lang: ["en", "da", "de", "ja", "zh"],
  size: ["1920x1080", "1280x720", "854x480", "1080x1920"],
};
/** The pictures of docs: scene, layout, theme, language and size. All their letters come with the program. */
const DOCS = [
  ["playing", "table", "dark", "en", "1280x720"], ["riichi", "table", "felt", "de", "1280x720"], ["win", "table", "dark", "en", "1280x720"],
  ["win", "table", "ink", "ja", "1280x720"], ["win", "table", "light", "zh", "1280x720"], ["draw", "table", "felt", "en", "1280x720"],
  ["chombo", "table", "light", "da", "1280x720"], ["over", "table", "dark", "en", "1280x720"], ["waits", "hand", "dark", "en", "1280x720"],
  ["win", "table", "dark", "en", "1080x1920"],
];
const ACCEPTED = new URL("docs/images/overlay/", ROOT);
/** Pixels of two pictures differ where a colour does by more than this: letters are drawn a little otherwise elsewhere. */
const NOTICED = 64;
/** The share of pixels that may differ. Panels that are twelve pixels off are 1.5 % and more. */
const ALIKE = 0.008;

const words = process.argv.slice(2);
const [docs, accept] = [words.includes("docs"), words.includes("accept")];
const asked = Object.fromEntries(words.map((word) => word.split("=")));
const options = Object.entries(asked).filter(([name, value]) => value && !(name in CHOICES) && name !== "look").map(([name, value]) => `&${name}=${encodeURIComponent(value)}`).join("");
const of = (name) => asked[name]?.split(",") ?? CHOICES[name];
const chosen = docs ? DOCS : of("size").flatMap((size) => of("layout").flatMap((layout) => of("theme").flatMap((theme) =>
  of("lang").flatMap((lang) => of("scene").map((scene) => [scene, layout, theme, lang, size])))));

const KINDS = { js: "text/javascript", css: "text/css", json: "application/json", svg: "image/svg+xml", woff2: "font/woff2", html: "text/html; charset=utf-8" };

/** The page, which gets the states of a scene in place of a server's, before a picture of a table. */
function overlay(query) {
  const data = ["layout", "theme", "part", "place", "background"].filter((name) => query.get(name)).map((name) => ` data-${name}="${query.get(name)}"`).join("");
  const script = `window.WebSocket = class { constructor() { setTimeout(() => { this.onopen(); ${JSON.stringify(SCENES[query.get("scene")]())}.forEach((state, number) => setTimeout(() => this.onmessage({ data: JSON.stringify(state) }), 10 * number)); }); } send() { this.onmessage({ data: "" }); } close() {} };`;
  const { lies } = SCENES[query.get("scene")]().at(-1).scene.hand ?? {};
  // Where the tiles lie in a picture that fills the page.
  const tiles = lies ? `const scale = Math.min(innerWidth / ${lies.width}, innerHeight / ${lies.height}); const [x, y] = [(innerWidth - ${lies.width} * scale) / 2, (innerHeight - ${lies.height} * scale) / 2]; window.tiles = ${JSON.stringify(lies.tiles)}.map(([left, top, right, bottom]) => ({ left: x + left * scale, top: y + top * scale, right: x + right * scale, bottom: y + bottom * scale }));` : "";
  const ground = query.get("background") ? "" : "<style>html { background: radial-gradient(circle at 50% 40%, #3f7a5f, #16382a 75%) !important; }</style>";
  return readFileSync(new URL("src/server/pages/overlay.html", ROOT), "utf8").replace('<html lang="en">', `<html lang="en"${data}>`).replace("</head>", `${ground}<script>${script}${tiles}</script></head>`);
}

/** What the server says of a theme without pictures. */
const THEME = JSON.stringify({ logo: null, sponsors: [], players: {} });
/** The file of an address. */
const fileOf = (folder, name) => folder === "faces" ? `datasets/artwork/${name}`
  : /^words\..*json$/.test(name) ? `crates/scoring/src/words/${name.slice("words.".length)}` : `src/server/pages/${name}`;

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://page");
  const [, folder, name] = pathname.split("/");
  try {
    const kind = folder === "overlay" ? "html" : pathname.split(".").at(-1);
    response.setHeader("content-type", KINDS[kind] ?? "text/plain");
    response.end(folder === "overlay" ? overlay(searchParams) : folder === "theme.json" ? THEME : readFileSync(new URL(fileOf(folder, name), ROOT)));
  } catch {
    response.statusCode = 404;
    response.end();
  }
}).listen(0, "127.0.0.1");
await once(server, "listening");
const page = `http://127.0.0.1:${server.address().port}/overlay`;

const { call, devtools, ask, quit } = await browser("--hide-scrollbars", "--force-device-scale-factor=1", "--font-render-hinting=none", "--disable-lcd-text");

/** What is wrong with the page: a panel beyond the page or over another, a text that is cut off. */
const FAULTS = `(() => {
  const panels = [...document.querySelectorAll(".panel")].filter((panel) => panel.checkVisibility()).map((panel) => [panel.id || panel.className, panel.getBoundingClientRect()]);
  const over = (a, b) => a.left < b.right - .5 && b.left < a.right - .5 && a.top < b.bottom - .5 && b.top < a.bottom - .5;
  const outside = panels.filter(([, one]) => one.left < -.5 || one.top < -.5 || one.right > innerWidth + .5 || one.bottom > innerHeight + .5).map(([name]) => name + " sticks out");
  const crossed = panels.flatMap(([name, one], place) => panels.slice(place + 1).filter(([, other]) => over(one, other)).map(([other]) => name + " lies over " + other));
  const cut = [...document.querySelectorAll(".panel, .panel *")].filter((one) => one.checkVisibility() && getComputedStyle(one).display !== "inline" && !one.closest(".riichi, .tile") && (one.scrollWidth > one.clientWidth + 2 || one.matches(".name, .panel") && one.scrollHeight > one.clientHeight + 2)).map((one) => "cut: " + one.outerHTML.slice(0, 120));
  const covered = (window.tiles ?? []).filter((tile) => panels.some(([, one]) => over(one, tile))).map((tile) => "over a tile at " + Math.round(tile.left));
  return [...(panels.length ? [] : ["nothing is shown"]), ...outside, ...crossed, ...cut, ...covered];
})()`;

/** The share of pixels by which two pictures differ, as the browser decodes them; 1 where they are of different sizes.
 *  @param {string} one base64 of a JPEG, as is the other
 *  @param {string} other */
const difference = (one, other) => ask(`Promise.all(${JSON.stringify([one, other])}.map(async (code) => {
  const picture = await createImageBitmap(await (await fetch("data:image/jpeg;base64," + code)).blob());
  const canvas = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
  canvas.drawImage(picture, 0, 0);
  return canvas.getImageData(0, 0, picture.width, picture.height);
})).then(([one, other]) => {
  if (one.width !== other.width || one.height !== other.height) return 1;
  let differ = 0;
  for (let at = 0; at < one.data.length; at += 4) differ += [0, 1, 2].some((colour) => Math.abs(one.data[at + colour] - other.data[at + colour]) > ${NOTICED});
  return 4 * differ / one.data.length;
})`);

/** Compares the page with the accepted picture of that name, or makes it that picture. */
async function compare(name, [width, height]) {
  const clip = { x: 0, y: 0, width, height, scale: 800 / width };
  const { data } = await devtools("Page.captureScreenshot", { format: "jpeg", quality: 85, clip });
  const file = new URL(`${name}.jpg`, ACCEPTED);
  if (accept) return writeFileSync(file, Buffer.from(data, "base64"));
  const differs = existsSync(file) ? await difference(data, readFileSync(file).toString("base64")) : 1;
  if (differs <= ALIKE) return;
  writeFileSync(new URL(`${name}.jpg`, OUT), Buffer.from(data, "base64"));
  console.log(`${name}: ${(100 * differs).toFixed(2)} % of the pixels differ from docs/images/overlay; now: target/sheets/${name}.jpg`, (faults += 1) && "");
}

// What moves is shown as it ends.
await devtools("Emulation.setEmulatedMedia", { features: [{ name: "prefers-reduced-motion", value: "reduce" }] });
let faults = 0;
let pictures = 0;
mkdirSync(OUT, { recursive: true });
mkdirSync(ACCEPTED, { recursive: true });
for (const [scene, layout, theme, lang, size] of chosen) {
  const [width, height] = size.split("x").map(Number);
  await devtools("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
  await call("POST", "/url", { url: `${page}?scene=${scene}&layout=${layout}&theme=${theme}&lang=${lang}${options}` });
  for (let tries = 0; tries < 100 && !(await ask("document.querySelector('.panel:not([hidden])') && document.fonts.status === 'loaded'")); tries++) await new Promise((done) => setTimeout(done, 20));
  // A second state is shown a second after the first.
  await new Promise((done) => setTimeout(done, SCENES[scene]().length > 1 ? 1300 : 150));
  await ask("document.getAnimations().forEach((one) => { try { one.finish(); } catch {} })");
  const name = [scene, layout, theme, lang, size].join("-");
  for (const fault of await ask(FAULTS)) console.log(`${name}: ${fault}`, (faults += 1) && "");
  if (docs) await compare(name, [width, height]);
  else if (asked.look !== "no") writeFileSync(new URL(`${name}.png`, OUT), Buffer.from(await call("GET", "/screenshot"), "base64"));
  pictures += 1;
}
await quit();
server.close();
console.log(`${pictures} scenes looked at, ${faults} faults`);
process.exitCode = faults ? 1 : 0;
