// Pictures: the same readings as the program's.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { FOLDER, ROOT, differences, lacking, load, pictures, printed } from "./support.js";

const { read, score } = await load();
const WON = { rules: "mmm", seat: "S", round: "E", win: "self_draw" };
const ONE = new URL("datasets/photos/tables/table-discards.jpg", ROOT);

test("photos are read as by the program", { skip: lacking }, async (context) => {
  const photos = pictures();
  const args = ["--seat", "S", "--round", "E", "--self-draw", "--tileset", "none", "--no-questions", "--json"];
  const expected = photos.map((photo) => printed(["photo", fileURLToPath(photo), ...args])[0]);
  const found = [];
  for (const photo of photos) found.push(await read(readFileSync(photo), WON));
  const differ = differences(found, expected);
  context.diagnostic(`${photos.length} pictures: ${JSON.stringify(differ)}`);
  assert.deepEqual([differ.hands, differ.payments], [[], []]);
  assert.ok(differ.faces <= Math.max(1, (2 * differ.tiles) / 1000), JSON.stringify(differ));
});

test("a picture is the same in every form", async () => {
  const raw = (args) => execFileSync("ffmpeg", ["-v", "error", "-i", fileURLToPath(ONE), ...args, "-"], { maxBuffer: 1e9 });
  const png = raw(["-f", "image2pipe", "-c:v", "png"]);
  const expected = await read(png, WON);
  assert.ok(expected.hand && expected.tiles.length > 20);
  const { width, height } = expected.image;
  const data = raw(["-f", "rawvideo", "-pix_fmt", "rgba"]);
  for (const picture of [new Uint8Array(png).buffer, new Blob([png]), { data, width, height }]) assert.deepEqual(await read(picture, WON), expected);
});

test("a correction changes the hand", async () => {
  const photo = readFileSync(ONE);
  const seen = await read(photo);
  assert.equal(seen.score, null);
  const { id } = seen.tiles.find(({ role }) => role === "concealed");
  assert.equal((await read(photo, { fixes: { [id]: "1z" } })).tiles[id].code, "1z");
  await assert.rejects(read(photo, { fixes: { 999: "1z" } }), { kind: "bad_request", message: /tile 999/ });
  await assert.rejects(read(photo, { kongs: "open" }), { kind: "bad_request" });
  await assert.rejects(read(photo, { hidden: "5px" }), { kind: "bad_request", message: /name each tile/ });
});

test("what is no picture is refused with a cure, and the next one is read", async () => {
  for (const [picture, said] of [
    [Buffer.from("text"), /give JPEG/], [Buffer.alloc(0), /copy it again/], [7, /the bytes of a file/], ["hand.jpg", /the bytes of a file/],
    [{ data: new Uint8Array(40 * 40 * 3), width: 40, height: 40 }, /red, green, blue and alpha/],
    [{ data: new Uint8Array(8 * 8 * 4), width: 8, height: 8 }, /too few/],
  ]) await assert.rejects(read(picture), { name: "TilelensError", kind: "bad_picture", message: said });
  assert.ok((await read(readFileSync(ONE))).hand);
  assert.equal((await score("123m456m789p23s55s +4s", { seat: "W", round: "E", win: "self_draw" })).ok, true);
});

test("the code of the README runs and prints what it says, and the process ends by itself", () => {
  const parts = readFileSync(new URL("README.md", FOLDER), "utf8").split("```js\n").slice(1);
  const code = parts.map((part) => part.split("```")[0]).join("")
    .replace('"tilelens"', JSON.stringify(new URL("node.js", FOLDER).href)).replace('"hand.jpg"', JSON.stringify(fileURLToPath(ONE)));
  const said = code.split("\n").flatMap((line) => line.split("; // ").slice(1));
  const out = execFileSync(process.execPath, ["--input-type=module"], { input: code, encoding: "utf8", timeout: 120_000 }).split("\n");
  assert.ok(said.length >= 5);
  assert.deepEqual(out.slice(0, said.length), said);
});
