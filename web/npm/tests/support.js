// What the tests of the package share: the program beside it, and the package as it is installed.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";

export const ROOT = new URL("../../../", import.meta.url);
const program = process.env.TILELENS ?? new URL("target/release/tilelens", ROOT).pathname;

/** The package that is tested, and where it is. */
export const FOLDER = pathToFileURL(`${process.env.PACKAGE}/`);
export const load = () => import(new URL("node.js", FOLDER));

/** Why the tests that need the program are skipped; false where it is there. */
export const lacking = existsSync(program) ? false : `there is no program ${program}: build it with \`make build\`, or name another one in TILELENS`;

/** What the program prints, a JSON value a line. */
export function printed(args, input = "") {
  const run = () => {
    try {
      return execFileSync(program, args, { input, encoding: "utf8", maxBuffer: 1e9, stdio: ["pipe", "pipe", "pipe"] });
    } catch (error) {
      // No hand and no win are answers too, with a status of their own.
      if (error.status === 1 && error.stdout) return error.stdout;
      throw error;
    }
  };
  return run().trim().split("\n").map((line) => JSON.parse(line));
}

/** Pictures of `datasets`, and of the shared photos that nothing was trained on where they are there: some of each, or all
 *  where `TILELENS_PICTURES=all` is set. @returns {URL[]} */
export function pictures() {
  const tables = new URL("datasets/photos/tables/", ROOT);
  const own = readdirSync(tables).filter((name) => name.endsWith(".jpg")).sort().map((name) => new URL(name, tables));
  const shared = new URL("../shared/data/", ROOT);
  const splits = new URL("splits.json", shared);
  const val = existsSync(splits) ? Object.entries(JSON.parse(readFileSync(splits, "utf8")).val.photos) : [];
  const photos = val.flatMap(([source, names]) => names.map((name) => new URL(`photos/${source}/${name}`, shared))).filter((file) => existsSync(file));
  const some = (list, most) => list.filter((_, place) => place % Math.max(1, Math.ceil(list.length / most)) === 0);
  return process.env.TILELENS_PICTURES === "all" ? [...own, ...some(photos, 40)] : [...some(own, 6), ...some(photos, 6)];
}

/** The requests of the worked hands of each rule set. */
export function worked() {
  const folders = ["tests/hands/", "../shared/rules/"].map((name) => new URL(name, ROOT)).filter((folder) => existsSync(folder));
  const files = folders.flatMap((folder) => readdirSync(folder).filter((name) => name.endsWith(".jsonl")).map((name) => new URL(name, folder)));
  return files.flatMap((file) => readFileSync(file, "utf8").trim().split("\n").map((line) => JSON.parse(line).request)).filter(Boolean);
}

/** The confidence below which no hand gets a score: what is read there is no hand that a player laid out. */
const TOO_UNSURE = 0.4;

/** The ways in which readings of some pictures differ: of all tiles, those that the other has not at that place with that face,
 *  and the pictures whose hand, where it is sure enough to be one, or payments differ. Two runtimes round otherwise, so that what is hardly there may differ. */
export function differences(found, expected) {
  const centre = ({ corners }) => [0, 1].map((axis) => corners.reduce((sum, corner) => sum + corner[axis], 0) / 4);
  const side = ({ corners: [[ax, ay], [bx, by]] }) => Math.hypot(bx - ax, by - ay);
  const same = (one, other) => one.code === other.code && Math.hypot(...centre(one).map((at, axis) => at - centre(other)[axis])) < side(one) / 4;
  const faceUp = ({ code }) => code !== "x";
  const lacks = (from, of) => from.tiles.filter((tile) => faceUp(tile) && !of.tiles.some((other) => same(tile, other)));
  const pairs = found.map((one, place) => [one, expected[place]]);
  const text = ({ hand }) => (hand?.confidence >= TOO_UNSURE ? hand.text : null);
  return {
    tiles: expected.reduce((sum, { tiles }) => sum + tiles.filter(faceUp).length, 0),
    faces: pairs.flatMap(([one, other]) => [...lacks(one, other), ...lacks(other, one)]).length,
    hands: pairs.flatMap(([one, other], place) => (text(one) !== text(other) ? [`${place}: ${text(one)} / ${text(other)}`] : [])),
    payments: pairs.flatMap(([one, other], place) => (isDeepStrictEqual(one.score?.payments, other.score?.payments) ? [] : [place])),
  };
}
