// The replay of a game: the table from above, a step at a time. The game is in the page itself.
import { WINDS, amount, drawn, groups, sign, spokenAll, tile, windAt, withTiles } from "./hand.js";
import { at, button, embedded, lines, made } from "./kit.js";
import { said, t } from "./lang.js";
import { outlook } from "./outlook.js";
import { away, changes, dealNamed, explained, itemsOf, onTable } from "./words.js";

/** @type {Replay} */
const game = embedded("game");
/** The deal and its step that are shown, and who sits below. */
const shown = { deal: 0, step: 0, below: 0 };
/** Discards in a row; the third goes on. */
const ROW = 6;
const ROWS = 3;

const names = game.players.map((name) => said(name));
const deal = () => game.deals[shown.deal];
/** @param {ReplayDeal} of */
const lastOf = (of) => of.steps.length - 1;
/** @param {number} player */
const windOf = (player) => windAt(WINDS[player], { dealer: WINDS[deal().place.dealer], players: names.length }) ?? "E";

/** Everybody's tiles, and the indicators, as the steps so far leave them. */
function table() {
  /** @type {ReplaySeat[]} */
  const seats = [];
  let indicators = "";
  for (const step of deal().steps.slice(0, shown.step + 1)) {
    Object.assign(seats, step.seats);
    indicators = step.indicators ?? indicators;
  }
  return { seats, indicators };
}

/** The tiles of a text; on the table one that nobody knows shows its back. @param {string | undefined} text */
const tilesOf = (text) => groups(text).flatMap(({ tiles }) => tiles).map(({ code }) => tile(code === "?" ? "x" : code));

/** A player's discards, in rows.
 *  @param {ReplaySeat["discards"]} discards
 *  @param {boolean} isLast */
function river(discards, isLast) {
  const rows = Array.from({ length: ROWS }, () => made("div", "discards"));
  discards.forEach(({ tile: code, ...how }, place) => {
    const classes = ["sideways", "drawn", "claimed"].filter((name) => how[/** @type {keyof typeof how} */ (name)]);
    if (isLast && place === discards.length - 1 && !how.claimed) classes.push("last");
    rows[Math.min(Math.floor(place / ROW), ROWS - 1)].append(tile(code, { classes }));
  });
  return made("div", "river", ...rows);
}

/** A player's side of the table, as he sees it.
 *  @param {ReplaySeat} seat
 *  @param {number} player */
function side(seat, player) {
  const { player: acts, last } = deal().steps[shown.step];
  const isRiichi = seat.discards.some(({ sideways }) => sideways);
  const own = made("div", "own", made("div", "concealed", ...tilesOf(seat.hand), ...tilesOf(seat.drawn).map((one) => (one.classList.add("fresh"), one))), drawn(seat.sets));
  const label = made("div", "label", made("b", "", t(windOf(player))), made("bdi", "name", names[player]));
  const element = made("div", `side${acts === player ? " acts" : ""}`, own, made("div", "aside", ...tilesOf(seat.aside)), river(seat.discards, last === player), label, ...(isRiichi ? [made("i", "stick")] : []));
  element.style.setProperty("--turns", String((player - shown.below + 4) % 4));
  return element;
}

/** How far a player's hand is, and what it waits for. @param {ReplaySeat} seat */
function distance({ away: far, waits }) {
  if (far === undefined) return [];
  return waits ? [`${t("waits for")} `, ...tilesOf(waits)] : [away(far)];
}

/** @param {ReplaySeat} seat
 *  @param {number} player */
function line(seat, player) {
  const points = deal().points[player];
  const name = button("", () => show({ below: player }));
  name.append(made("b", "", t(windOf(player))), made("bdi", "name", names[player]));
  name.setAttribute("aria-pressed", String(player === shown.below));
  return made("li", "", name, made("span", "points", points === undefined ? "" : amount(points)), made("span", "distance", ...distance(seat)));
}

/** The steps of a deal that are not certain, by their places. @param {ReplayDeal} of */
const doubtful = (of) => of.steps.flatMap(({ doubts }, place) => (doubts ? [place] : []));

/** Goes to the next step of the game that is not certain; after the last one to the first. */
function toDoubt() {
  const all = game.deals.flatMap((of, place) => doubtful(of).map((step) => ({ deal: place, step })));
  const next = all.find(({ deal: of, step }) => of > shown.deal || (of === shown.deal && step > shown.step)) ?? all[0];
  if (next) show(next);
}

/** What is not certain of the step, and how much of the deal. @param {ReplayStep} step */
function uncertain({ doubts }) {
  const count = doubtful(deal()).length;
  at("game-doubts").hidden = count === 0;
  if (count === 0) return;
  const here = doubts ? [made("b", "", `${t("Not certain:")} ${doubts.map((doubt) => said(doubt)).join(", ")}`)] : [];
  const go = button(t("The next doubt"), toDoubt);
  go.title = "D";
  at("game-doubts").replaceChildren(...here, made("span", "soft", t("Steps of this deal that are not certain: {count}.", { count })), go);
}

/** @type {((deal: number, step: ReplayStep) => unknown)[]} */
const watching = [];
/** Calls `watch` with each step that is shown. @param {(deal: number, step: ReplayStep) => unknown} watch */
export function onStep(watch) {
  watching.push(watch);
  show({});
}

/** How a deal was paid, when it is over. @param {ReplayDeal} of */
function result({ paid, result: counted }) {
  /** @param {string[]} amounts */
  const payments = (amounts) => made("ul", "paid", ...amounts.map((of, player) => made("li", "", made("bdi", "name", names[player]), made("span", sign(of), amount(of, true)))));
  if (!counted) return paid.length ? [payments(paid.map(String))] : [];
  const { deal: of, steps } = counted;
  const bySeat = Object.fromEntries(of.seats.map((seat, player) => [seat, names[player]]));
  const words = { item_names: game.item_names ?? {} };
  return [
    ...lines("p", of.said.map((say) => said(say, spokenAll))),
    ...of.winners.flatMap((winner, place) => [
      drawn(winner.hand ?? ""),
      made("ul", "items", ...itemsOf(words, winner).map(({ name, value }) => made("li", "", made("span", "", name), made("b", "", amount(value))))),
      made("ul", "steps", ...lines("li", explained(steps[place], bySeat))),
    ]),
    payments(changes(of)),
  ];
}

/** Shows a step. @param {Partial<typeof shown>} now */
function show(now) {
  Object.assign(shown, now);
  const of = deal();
  const { seats, indicators } = table();
  const middle = made("div", "middle", made("b", "", dealNamed(of.place)), made("div", "indicators", ...tilesOf(indicators)), made("span", "", onTable(of.place).join(" · ")));
  at("game-board").replaceChildren(middle, ...seats.map(side));
  at("game-name").textContent = dealNamed(of.place);
  at("game-deal").value = String(shown.deal);
  at("game-at").max = String(lastOf(of));
  at("game-at").value = String(shown.step);
  at("game-step").replaceChildren(...withTiles([of.steps[shown.step].said]));
  uncertain(of.steps[shown.step]);
  at("game-players").replaceChildren(...seats.map(line));
  const ahead = seats[of.steps[shown.step].player ?? -1]?.outlook;
  at("game-outlook").hidden = !ahead;
  at("game-outlook").replaceChildren(...(ahead ? outlook(ahead, { seat: "E", unit: "" }) : []));
  at("game-result").hidden = shown.step < lastOf(of);
  if (!at("game-result").hidden) at("game-result").replaceChildren(...result(of));
  history.replaceState(null, "", `#${shown.deal + 1}.${shown.step}`);
  for (const watch of watching) watch(shown.deal, of.steps[shown.step]);
}

/** Goes to the next or the last step before. @param {1 | -1} way */
function byStep(way) {
  const step = shown.step + way;
  if (step >= 0 && step <= lastOf(deal())) show({ step });
  else if (game.deals[shown.deal + way]) show({ deal: shown.deal + way, step: way > 0 ? 0 : lastOf(game.deals[shown.deal + way]) });
}

/** Goes to the next or the last beginning of a turn; before and after all turns to the deal's ends. @param {1 | -1} way */
function byTurn(way) {
  const { steps } = deal();
  const places = steps.map((_, place) => place).filter((place) => steps[place].turn || place === 0 || place === lastOf(deal()));
  const next = way > 0 ? places.find((place) => place > shown.step) : places.findLast((place) => place < shown.step);
  if (next === undefined) byStep(way);
  else show({ step: next });
}

/** @param {1 | -1} way */
const byDeal = (way) => {
  const next = shown.deal + way;
  if (game.deals[next]) show({ deal: next, step: 0 });
  else show({ step: way > 0 ? lastOf(deal()) : 0 });
};

/** @type {Record<string, () => void>} */
const KEYS = {
  ArrowLeft: () => byStep(-1), ArrowRight: () => byStep(1), ArrowUp: () => byTurn(-1), ArrowDown: () => byTurn(1),
  PageUp: () => byDeal(-1), PageDown: () => byDeal(1), Home: () => show({ step: 0 }), End: () => show({ step: lastOf(deal()) }),
  d: toDoubt, D: toDoubt,
};

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target instanceof HTMLSelectElement) return;
  const does = KEYS[event.key];
  if (!does) return;
  event.preventDefault();
  does();
});

for (const [arrow, label, does] of /** @type {[string, string, () => void][]} */ ([
  ["|◀", t("The deal before"), KEYS.PageUp], ["◀◀", t("The turn before"), KEYS.ArrowUp], ["◀", t("The step before"), KEYS.ArrowLeft],
  ["▶", t("The next step"), KEYS.ArrowRight], ["▶▶", t("The next turn"), KEYS.ArrowDown], ["▶|", t("The next deal"), KEYS.PageDown],
])) {
  // Text, where a browser has pictures for single signs.
  const move = button(arrow.replaceAll(/[◀▶]/g, "$&\ufe0e"), does);
  move.title = label;
  move.setAttribute("aria-label", label);
  at("game-moves").append(move);
}
at("game-deal").append(...game.deals.map((of, place) => made("option", { value: String(place) }, `${place + 1} · ${dealNamed(of.place)}`)));
at("game-deal").addEventListener("change", () => show({ deal: Number(at("game-deal").value), step: 0 }));
at("game-at").addEventListener("input", () => show({ step: Number(at("game-at").value) }));

// A swipe to the left goes on, like the next page of a book; a tap by the half of the table.
let from = 0;
at("game-board").addEventListener("pointerdown", ({ clientX }) => (from = clientX));
at("game-board").addEventListener("pointerup", ({ clientX }) => {
  const { left, width } = at("game-board").getBoundingClientRect();
  const swiped = clientX - from;
  byStep(Math.abs(swiped) > width / 10 ? (swiped < 0 ? 1 : -1) : clientX > left + width / 2 ? 1 : -1);
});

const [first, step] = location.hash.slice(1).split(".").map(Number);
const begins = game.deals[first - 1] ? first - 1 : 0;
show({ deal: begins, step: game.deals[begins].steps[step] ? step : 0 });
