// The scene that viewers see, in words: the server has decided what is in it. Plain values, so that pages redraw only changes.
import { amount, inOrder } from "./hand.js";
import { said, t } from "./lang.js";
import { beside, dealNamed, dealt, inRound, isolated, itemName, leftover, placed, playedNow, satIn, unitOf, wonHow, worth } from "./words.js";

/** @typedef {ReturnType<typeof onAir>} View what viewers see of a state */
/** @typedef {View["seats"][number]} Seated a player as viewers see him */

const NAMES = { E: t("East"), S: t("South"), W: t("West"), N: t("North") };

/** The scene before the first state. @type {OnAir} */
const NOTHING = {
  phase: "watching", title: null, place: null, round: null, dora: null, names: {}, of: {}, hand: null, story: null, pays: false, players: [], seats: [], notices: [],
};

/** Why each payer pays, each reason once: `own` by the seat of who alone has it, `shared` by several or all of them.
 *  @param {Step[]} steps
 *  @param {(wind: Wind) => string} called */
function reasons(steps, called) {
  // Shares say their own amount.
  /** @param {Step} step */
  const step = ({ kind, said: how, amount: part = "0" }) => (["share", "liable"].includes(kind) ? said(how) : `${amount(part)}: ${said(how)}`);
  /** @type {Map<string, Wind[]>} */
  const payers = new Map();
  for (const [seat] of inOrder(NAMES)) {
    const why = steps.filter((of) => of.seat === seat).map(step).join(" · ");
    if (why) payers.set(why, [...(payers.get(why) ?? []), seat]);
  }
  const several = [...payers].filter(([, seats]) => seats.length > 1);
  /** @param {[string, Wind[]]} payer */
  const line = ([why, seats]) => (payers.size === 1 ? why : `${seats.map((seat) => isolated(called(seat))).join(", ")}: ${why}`);
  return {
    own: /** @type {Amounts} */ (Object.fromEntries([...payers].filter(([, seats]) => seats.length === 1).map(([why, [seat]]) => [seat, why]))),
    shared: several.map(line),
  };
}

/** The win: winner, way, giver, deal, items and total.
 *  @param {Story} win
 *  @param {OnAir} scene
 *  @param {(wind: Wind | null) => string} called
 *  @param {string[]} shared */
function story({ winner, win, from, deal, rules_name: rules, unit, terms, item_names: names, score }, { round }, called, shared) {
  /** @param {Item} item */
  const worded = (item) => t(item.unit === unit ? terms?.faan || unit : unitOf(item.value, item.unit));
  const [total, counts] = worth({ score, unit, terms, win: win ?? undefined });
  return {
    winner: called(winner),
    how: wonHow(win ?? undefined, called(from), terms) ?? ["", "", ""],
    when: deal ? dealNamed(deal) : inRound(round ?? "E"),
    // What stands in brackets tells rule sets apart in a list.
    rules: t(rules).split(/\s*[(（]/)[0],
    items: score.items.map((item) => ({ name: itemName(names, item.id), value: item.value, unit: worded(item) })),
    points: amount(score.payments[winner] ?? score.score),
    limit: score.items.some((item) => ["yakuman", "limit"].includes(item.unit)),
    total,
    notes: [
      counts,
      // The steps from items to score; a share that one player alone has is with his payment.
      ...(score.steps ?? []).filter(({ seat }) => !seat).map((step) => said(step.said)),
      ...shared,
      ...beside(score, unit),
    ].filter(Boolean),
  };
}

/** What is said of a table, in lines. @type {Record<string, (table: Table) => string[]>} */
const NOTICES = { playing: (table) => [playedNow(table)], leftover: (table) => [leftover(table)], unwon: (table) => (table.last_deal?.said ?? []).map((words) => said(words)) };

/** What is left of a scene when nothing is heard of the server: what a camera saw is in doubt, then gone.
 *  @param {OnAir} scene
 *  @param {"doubtful" | "stale"} how
 *  @returns {OnAir} */
export function cutOff(scene, how) {
  const { hand } = scene;
  if (how === "doubtful") {
    const seats = scene.seats.map((seat) => (seat.live && seat.text ? { ...seat, doubtful: true } : seat));
    return { ...scene, hand: hand?.live ? { ...hand, doubtful: true } : hand, seats };
  }
  const seats = scene.seats.map((seat) => (seat.live ? { ...seat, text: null, doubtful: false, waits: [], discards: null } : seat));
  /** @param {Wind} wind */
  const isKnown = (wind) => scene.players.some(({ seat, name, standing }) => seat === wind && (name || standing !== null));
  return { ...scene, hand: hand?.live ? null : hand, seats: seats.filter(({ wind, text }) => text || isKnown(wind)) };
}

/** The view that a state gives. @param {Pick<State, "scene" | "table">} state */
export function onAir({ scene = NOTHING, table = null }) {
  const { hand, names, of, pays, players } = scene;
  /** @param {Wind | null} wind */
  const called = (wind) => (wind && (names[wind] || NAMES[wind])) || "";
  const { own: why, shared } = reasons(scene.story?.score.steps ?? [], called);
  /** @param {...string} of */
  const notices = (...of) => (table ? scene.notices.filter((notice) => of.includes(notice)).flatMap((notice) => NOTICES[notice](table)).filter(Boolean) : []);
  /** A player's line. @param {Wind} wind */
  const line = (wind) => {
    const player = players.find(({ seat }) => seat === wind);
    return {
      seat: wind, place: scene.seats.find((seat) => seat.wind === wind)?.place ?? wind, name: player?.name || NAMES[wind],
      rank: player?.rank ?? null, standing: player?.standing ?? null, before: player?.before ?? null, paid: (pays && player?.paid) || null,
      why: (pays && why[wind]) || "", note: placed({ placed: player?.placed ?? undefined }), riichi: player?.riichi ?? false, won: player?.won ?? false,
    };
  };
  const last = table?.last_deal;
  return {
    hand: hand && { text: hand.text, seat: hand.seat, doubtful: hand.doubtful, waits: hand.waits, names, of },
    title: scene.title ?? "",
    dora: scene.dora ?? "",
    of: scene.of,
    story: scene.story && story(scene.story, scene, called, shared),
    players: players.filter(({ standing, paid }) => standing !== null || (pays && paid !== null)).map(({ seat }) => line(seat)),
    round: notices("playing", "leftover"),
    ended: notices("unwon"),
    seats: scene.seats.map(({ wind, text, wins, doubtful, waits, discards }) => ({ ...line(wind), text: text ?? "", wins, doubtful, waits, discards: discards ?? "", of })),
    last: table && last ? { line: dealt(table, last, { brief: true }), of: dealNamed(last), hands: last.winners.flatMap(({ hand, player }) => (hand ? [{ hand, wind: last.seats[player], sits: satIn(table, last) }] : [])) } : null,
    // The tiles' places in the camera's picture; a photo has none.
    lies: hand?.lies ?? null,
  };
}
