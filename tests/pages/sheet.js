// Pictures of the overlay: every scene in every layout, theme, language and size, or those that are asked for:
//   node tests/pages/sheet.js scene=win,long layout=table theme=dark lang=en,ja size=1920x1080
// They are written to target/sheets. Other words are options of the page: part=score, place=hand:top. Needs chromedriver.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { SCENES } from "./scenes.js";

const ROOT = new URL("../../", import.meta.url);
const OUT = new URL("target/sheets/", ROOT);
const CHOICES = {
  scene: Object.keys(SCENES), layout: ["hand", "table"], theme: ["dark", "light", "felt", "ink"], lang: ["en", "da", "de", "ja", "zh"],
  size: ["1920x1080", "1280x720", "854x480", "1080x1920"],
};
const asked = Object.fromEntries(process.argv.slice(2).map((word) => word.split("=")));
const options = Object.entries(asked).filter(([name]) => !(name in CHOICES) && name !== "look").map(([name, value]) => `&${name}=${encodeURIComponent(value)}`).join("");
const of = (name) => asked[name]?.split(",") ?? CHOICES[name];

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

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://page");
  const [, folder, name] = pathname.split("/");
  try {
    const body = folder === "overlay" ? overlay(searchParams) : readFileSync(new URL(`${folder === "faces" ? "datasets/artwork" : "src/server/pages"}/${name}`, ROOT));
    response.setHeader("content-type", KINDS[folder === "overlay" ? "html" : name.split(".").at(-1)] ?? "text/plain");
    response.end(body);
  } catch {
    response.statusCode = 404;
    response.end();
  }
}).listen(0, "127.0.0.1");
await once(server, "listening");
const page = `http://127.0.0.1:${server.address().port}/overlay`;

const driver = spawn("chromedriver", ["--port=0"], { stdio: ["ignore", "pipe", "inherit"] });
const port = await new Promise((found) => driver.stdout.on("data", (text) => {
  const [, number] = String(text).match(/on port (\d+)\./) ?? [];
  if (number) found(number);
}));
const call = async (method, path, body) => {
  const answer = await fetch(`http://127.0.0.1:${port}/session${path}`, { method, ...(body && { body: JSON.stringify(body) }) });
  const { value } = await answer.json();
  if (value?.error) throw new Error(value.message);
  return value;
};
const args = ["--headless=new", "--no-sandbox", "--hide-scrollbars", "--force-device-scale-factor=1"];
const { sessionId } = await call("POST", "", { capabilities: { alwaysMatch: { browserName: "chrome", "goog:chromeOptions": { args } } } });
const devtools = (cmd, params) => call("POST", `/${sessionId}/goog/cdp/execute`, { cmd, params });
const ask = (script) => call("POST", `/${sessionId}/execute/sync`, { script: `return ${script}`, args: [] });

/** What is wrong with the page: a panel beyond the page or over another, a text that is cut off. */
const FAULTS = `(() => {
  const panels = [...document.querySelectorAll(".panel")].filter((panel) => panel.checkVisibility()).map((panel) => [panel.id || panel.className, panel.getBoundingClientRect()]);
  const over = (a, b) => a.left < b.right - .5 && b.left < a.right - .5 && a.top < b.bottom - .5 && b.top < a.bottom - .5;
  const outside = panels.filter(([, one]) => one.left < -.5 || one.top < -.5 || one.right > innerWidth + .5 || one.bottom > innerHeight + .5).map(([name]) => name + " sticks out");
  const crossed = panels.flatMap(([name, one], place) => panels.slice(place + 1).filter(([, other]) => over(one, other)).map(([other]) => name + " lies over " + other));
  const cut = [...document.querySelectorAll(".panel, .panel *")].filter((one) => one.checkVisibility() && getComputedStyle(one).display !== "inline" && !one.closest(".riichi, .tile") && (one.scrollWidth > one.clientWidth + 2 || one.matches(".name, .panel") && one.scrollHeight > one.clientHeight + 2)).map((one) => "cut: " + one.outerHTML.slice(0, 120));
  const covered = (window.tiles ?? []).filter((tile) => panels.some(([, one]) => over(one, tile))).map((tile) => "over a tile at " + Math.round(tile.left));
  return [...outside, ...crossed, ...cut, ...covered];
})()`;

// What moves is shown as it ends.
await devtools("Emulation.setEmulatedMedia", { features: [{ name: "prefers-reduced-motion", value: "reduce" }] });
let faults = 0;
let pictures = 0;
mkdirSync(OUT, { recursive: true });
for (const size of of("size")) {
  const [width, height] = size.split("x").map(Number);
  await devtools("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
  for (const layout of of("layout")) for (const theme of of("theme")) for (const lang of of("lang")) for (const scene of of("scene")) {
    await call("POST", `/${sessionId}/url`, { url: `${page}?scene=${scene}&layout=${layout}&theme=${theme}&lang=${lang}${options}` });
    for (let tries = 0; tries < 100 && !(await ask("document.querySelector('.panel:not([hidden])') && document.fonts.status === 'loaded'")); tries++) await new Promise((done) => setTimeout(done, 20));
    // A second state is shown a second after the first.
    await new Promise((done) => setTimeout(done, SCENES[scene]().length > 1 ? 1300 : 150));
    await ask("document.getAnimations().forEach((one) => { try { one.finish(); } catch {} })");
    const name = [scene, layout, theme, lang, size].join("-");
    for (const fault of await ask(FAULTS)) console.log(`${name}: ${fault}`, (faults += 1) && "");
    if (asked.look !== "no") writeFileSync(new URL(`${name}.png`, OUT), Buffer.from(await call("GET", `/${sessionId}/screenshot`), "base64"));
    pictures += 1;
  }
}
await call("DELETE", `/${sessionId}`);
driver.kill();
server.close();
console.log(`${pictures} scenes looked at, ${faults} faults`);
process.exitCode = faults ? 1 : 0;
