// The page that teaches a set of tiles: the order, a photo or two, the found tiles, and the confirmation.
import { boxed, spoken, tile } from "./hand.js";
import { all, at, made, target } from "./kit.js";
import { send } from "./link.js";
import { bar, offer, picture } from "./upload.js";

/** @param {string} numbers
 *  @param {string} suit */
const run = (numbers, suit) => [...numbers].map((number) => number + suit);
const ROWS = [
  [run("123456789", "m")], [run("123456789", "p")], [run("123456789", "s")],
  [run("1234", "z"), run("765", "z")], [run("1234", "f"), run("5678", "f")],
];

/** @type {Lesson | null} */
let found = null;

/** @param {string} text
 *  @param {string} [kind] */
function say(text, kind = "") {
  at("status").textContent = text;
  at("status").className = kind;
}

const tiles = () => (found?.photos || []).flat().flatMap((row) => row.tiles);
const odd = () => tiles().filter((shown) => shown.looks_like);

/** The order to lay out, with found tiles ticked. */
function showOrder() {
  const codes = new Set(tiles().map((shown) => shown.code));
  const doubts = new Set(odd().map((shown) => shown.code));
  /** @param {string} code */
  const one = (code) => tile(code, { classes: doubts.has(code) ? ["doubt"] : codes.has(code) ? ["found"] : [] });
  at("order").classList.toggle("read", !!found);
  at("order").replaceChildren(
    ...ROWS.map((parts) => {
      const row = made("div", "row");
      parts.forEach((part, place) => {
        if (place) row.append(made("span", "gap"));
        for (const code of part) {
          row.append(one(code));
          // Nobody has to have red fives: they are shown where they lie.
          const red = code.replace("5", "0");
          if (red !== code && codes.has(red)) row.append(one(red));
        }
      });
      return row;
    }),
  );
}

/** @param {string} type
 *  @param {string} id
 *  @param {string} text
 *  @param {object} [more] */
function answer(type, id, text, more = {}) {
  return made("label", "", made("input", { type, id, onchange: showButtons, ...more }), ` ${text}`);
}

/** Which of two it is: `shown` are the tiles, by their places, that the answer is about.
 *  @param {string} text
 *  @param {{ code: string }[]} shown
 *  @param {string} byPlace
 *  @param {string} looks */
function which(text, shown, byPlace, looks) {
  const [{ code }] = shown;
  const codes = shown.map((one) => one.code).join(" ");
  const options = { name: `which-${code}` };
  return made("li", "", text, answer("radio", `sure-${code}`, byPlace, { ...options, value: codes }), answer("radio", `instead-${code}`, looks, { ...options, value: codes }));
}

/** @param {string} kind */
const chosen = (kind) => all(at("doubts"), `[id^="${kind}-"]:checked`).flatMap((box) => box.value.split(" "));
/** @param {Element} line */
const isAnswered = (line) => !!line.querySelector("input:checked");
const answered = () => [...at("doubts").children].every(isAnswered);

/** The questions about the found tiles. */
function questions() {
  const rows = (found?.photos || []).flat();
  /** @param {string[]} codes */
  const words = (codes) => codes.map(spoken).join(", ");
  const open = rows.filter((row) => row.open).map((row) =>
    which("These four may be flowers or seasons.", row.tiles, words(row.tiles.map((one) => one.code)), words(row.tiles.map((one) => one.looks_like ?? "?"))));
  const others = rows.filter((row) => !row.open).flatMap((row) => row.tiles).filter((one) => one.looks_like);
  const single = [...new Map(others.map((one) => [one.code, one])).values()].flatMap(({ code, looks_like: other }) =>
    (other ? [which(`This may be ${spoken(code)} or ${spoken(other)}.`, [{ code }], `It is ${spoken(code)}`, `It is ${spoken(other)}`)] : []));
  const known = found?.known ? [made("li", "", answer("checkbox", "replace", `There is a set ${found.name} already: replace it`))] : [];
  return [...open, ...single, ...known];
}

function showButtons() {
  at("buttons").hidden = !found;
  at("learn").disabled = !answered();
}

/** @param {Lesson | null} now */
function show(now) {
  found = now;
  showOrder();
  at("doubts").replaceChildren(...questions());
  at("what").textContent = found ? "Add a second photo" : "Take a photo of the tiles";
  at("take").classList.toggle("done", !!found?.full);
  at("name").disabled = !!found;
  showButtons();
  if (!found) return;
  const lacking = found.missing.length ? ` Not found: ${found.missing.map(spoken).join(", ")}; these are read as before.` : " All 42 faces.";
  say(`${tiles().length} tiles found.${lacking} Nothing is kept yet.`);
}

/** @param {Size} size */
function outlined({ width, height }) {
  at("boxes").setAttribute("viewBox", `0 0 ${width} ${height}`);
  at("boxes").replaceChildren(
    ...(found?.photos.at(-1) || []).flatMap((row) => row.tiles).map((shown) => boxed(shown, shown.looks_like ? ["doubt"] : [])),
  );
}

const upload = bar(at("sending"));
const taken = picture(at("taken"), at("unshown"));
let photos = 0;

/** @param {Event} event */
async function take(event) {
  const [file] = target(event).files ?? [];
  target(event).value = "";
  if (!file) return;
  const mine = ++photos;
  taken.pick(file);
  at("picture").hidden = false;
  at("boxes").replaceChildren();
  say("");
  const stands = found ? " What the first photo showed still stands." : "";
  try {
    const answer = await upload("api/tileset", { name: at("name").value.trim(), ...(found && { with: String(found.number) }) }, file);
    if (mine !== photos) return;
    taken.copy(`api/tileset/${answer.number}/picture.jpg`);
    show(answer);
    outlined(answer.image);
  } catch (error) {
    if (mine !== photos) return;
    if (error.name !== "AbortError") return say(`${error.message}${stands}`, "loss");
    at("picture").hidden = true;
    say(`Cancelled: take the photo again, or another one.${stands}`);
  }
}

function begin() {
  at("picture").hidden = true;
  show(null);
}

at("learn").onclick = async () => {
  if (!found) return;
  try {
    const [sure, instead] = ["sure", "instead"].map(chosen);
    const replace = all(at("doubts"), "#replace").some(({ checked }) => checked);
    const { learnt } = await send(`api/tileset/${found.number}`, { sure, instead, replace });
    at("buttons").hidden = true;
    at("take").classList.add("done");
    at("doubts").replaceChildren();
    say(`${learnt} is learnt: photos that show it are read with it from now on.`, "gain");
  } catch (error) {
    say(error.message, "loss");
  }
};
at("again").onclick = () => {
  begin();
  say("Take the photo again.");
};
offer(at("photo"), at("file"));
at("photo").onchange = at("file").onchange = take;
at("naming").onsubmit = (event) => event.preventDefault();
begin();
