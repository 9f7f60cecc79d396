// Types: what users write against them is accepted, and near misses are not.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { FOLDER, ROOT } from "./support.js";

const GOOD = `import { advise, convert, explain, read, rules, score, waits, TilelensError, type Reading, type Refusal, type Score } from "tilelens";
const won: Score = await score("1m", { rules: "mmm", seat: "W", round: "E", win: "discard", from: "S", riichi: true, minimum: "1/2" });
const paid: string | undefined = won.payments.N;
const item: string = won.items[0].id;
const all = await score(["1m", { hand: "1m", from: "N" }], { seat: "W" });
const lost: string[] = all.flatMap((one) => ("error" in one ? [one.message] : []));
const more: string = (await explain("1m")).rulings[0].choice;
const seen: Reading = await read(new Uint8Array(3), { fixes: { 3: "5p" }, kongs: "claimed", rulings: { a: "b" } });
const [x, y]: number[] = seen.tiles[0].corners[0];
const doubt: string | undefined = seen.hand?.doubts[0].why;
const tile: string = (await waits("1m", { seen: "6s" })).waits[0].tile;
const advice = await advise("1m");
const next: string = "discards" in advice ? advice.discards[0].discard : advice.helps[0].tile;
const text: string = (await convert("1m", { from: "mjai", to: "unicode" })).text;
const name: string = (await rules()).rules[0].name;
try { await read({ data: new Uint8ClampedArray(4), width: 1, height: 1 }); } catch (error) {
  if (error instanceof TilelensError && error.kind === "below_minimum") { const refusal: Refusal | undefined = error.refusal; void refusal?.faan; }
}
void [paid, item, lost, more, x, y, doubt, tile, next, text, name];
`;
const MISSES = [
  ["score(\"1m\", { seat: \"X\" })", "X"], ["score(\"1m\", { colour: \"red\" })", "colour"], ["read(7)", "Picture"], ["read(new Uint8Array(3), { kongs: \"open\" })", "open"],
  ["convert(\"1m\", { from: \"morse\" })", "morse"], ["waits(\"1m\", { fixes: {} })", "fixes"], ["score(\"1m\").then((won) => won.score.toFixed())", "toFixed"],
];

test("types accept what the functions take, and refuse near misses", () => {
  const folder = mkdtempSync(join(tmpdir(), "tilelens-types-"));
  try {
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(fileURLToPath(FOLDER), join(folder, "node_modules/tilelens"));
    const tsc = fileURLToPath(new URL("node_modules/typescript/bin/tsc", ROOT));
    const check = (text) => {
      writeFileSync(join(folder, "use.mts"), text);
      const args = [tsc, "--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom", join(folder, "use.mts")];
      return spawnSync(process.execPath, args, { encoding: "utf8", cwd: folder }).stdout;
    };
    assert.equal(check(GOOD), "");
    const used = MISSES.map(([call]) => `void ${call};`);
    const said = check(`import { convert, read, score, waits } from "tilelens";\n${used.join("\n")}\n`);
    const errors = said.split(/^(?=use\.mts)/m);
    for (const [place, [, word]] of MISSES.entries()) assert.ok(errors.some((error) => error.startsWith(`use.mts(${place + 2},`) && error.includes(word)), `${word}: ${said}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the archive has what the package needs, and no more", () => {
  const names = execFileSync("find", [fileURLToPath(FOLDER), "-type", "f", "-printf", "%P\n"], { encoding: "utf8" }).trim().split("\n");
  for (const name of ["node.js", "browser.js", "index.d.ts", "requests.d.ts", "answers.d.ts", "tilelens.wasm", "README.md", "licences/LICENSE-MIT", "networks/detector.md"]) assert.ok(names.includes(name), name);
  assert.deepEqual(names.filter((name) => /test|types\.js$/.test(name)), []);
});
