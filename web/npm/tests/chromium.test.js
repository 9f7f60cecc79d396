// The package in a browser: the same answers as the program's, in a worker that leaves the page alone.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { browser } from "../../../tests/pages/chromium.js";
import { FOLDER, differences, lacking, pictures, printed, worked } from "./support.js";

const skip = spawnSync("chromedriver", ["--version"]).error ? "there is no chromedriver: scripts/install-packages.sh --for-tests installs it" : lacking;
const KINDS = { js: "text/javascript", wasm: "application/wasm", html: "text/html" };
const PAGE = "<!doctype html><title>A page</title><script type=module>window.tilelens = await import('./browser.js'); window.there = true;</script>";
let server;
let page;

before(async () => {
  if (skip) return;
  server = createServer(({ url, method }, response) => {
    const name = url.slice(1);
    response.setHeader("content-type", KINDS[name.split(".").at(-1)] ?? "text/plain");
    try {
      response.end(method === "GET" && name === "page.html" ? PAGE : readFileSync(name.startsWith("picture") ? pictures()[Number(name.slice("picture".length))] : new URL(name, FOLDER)));
    } catch {
      response.writeHead(404).end();
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  page = await browser();
  await page.call("POST", "/url", { url: `http://127.0.0.1:${server.address().port}/page.html` });
  await page.call("POST", "/timeouts", { script: 120_000 });
  for (let tries = 0; !(await page.ask("window.there")); tries += 1) {
    assert.ok(tries < 300, "the package does not load");
    await new Promise((done) => setTimeout(done, 100));
  }
});
after(async () => {
  await page?.quit();
  server?.close();
});

test("photos are read as by the program, and the page goes on meanwhile", { skip }, async (context) => {
  const args = ["--seat", "S", "--round", "E", "--self-draw", "--tileset", "none", "--no-questions", "--json"];
  const [expected, found] = [[], []];
  for (const [place, photo] of pictures().entries()) {
    expected.push(printed(["photo", fileURLToPath(photo), ...args])[0]);
    const { reading, beats, milliseconds } = await page.ask(`(async () => {
      const photo = await (await fetch("picture${place}")).blob();
      let beats = 0;
      const timer = setInterval(() => (beats += 1), 10);
      const began = performance.now();
      const reading = await tilelens.read(photo, { rules: "mmm", seat: "S", round: "E", win: "self_draw" });
      clearInterval(timer);
      return { reading, beats, milliseconds: performance.now() - began };
    })()`);
    assert.ok(beats > milliseconds / 100, `${beats} turns of the page in ${milliseconds} ms`);
    found.push(reading);
  }
  const differ = differences(found, expected);
  context.diagnostic(`${found.length} pictures: ${JSON.stringify(differ)}`);
  assert.deepEqual([differ.hands, differ.payments], [[], []]);
  assert.ok(differ.faces <= Math.max(1, (2 * differ.tiles) / 1000), JSON.stringify(differ));
});

test("hands are answered as by the program, and errors have their kind", { skip }, async () => {
  const requests = worked().filter((_, place) => place % 3 === 0);
  assert.ok(requests.length > 200);
  const expected = printed(["score", "--batch", "-", "--brief"], requests.map((request) => `${JSON.stringify(request)}\n`).join(""));
  assert.deepEqual(await page.ask(`tilelens.score(${JSON.stringify(requests)})`), expected);
  const kinds = "Promise.all([tilelens.score('123q'), tilelens.read(new Blob(['text'])), tilelens.read(7)].map((one) => one.catch((error) => [error instanceof tilelens.TilelensError, error.kind])))";
  assert.deepEqual(await page.ask(kinds), [[true, "bad_request"], [true, "bad_picture"], [true, "bad_picture"]]);
});

test("the pixels of a canvas are read as the picture is", { skip }, async () => {
  const [texts, image] = await page.ask(`(async () => {
    const photo = await (await fetch("picture0")).blob();
    const bitmap = await createImageBitmap(photo, { colorSpaceConversion: "none" });
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    canvas.drawImage(bitmap, 0, 0);
    const pixels = canvas.getImageData(0, 0, bitmap.width, bitmap.height);
    const both = [await tilelens.read(photo), await tilelens.read(pixels)];
    return [both.map(({ hand }) => hand?.text), both[1].image];
  })()`);
  assert.equal(texts[0], texts[1]);
  assert.ok(image.width > 100);
});
