// The viewers' part of the state as plain values, so that pages redraw only changes.
import { WINDS, amount, inOrder, windAt } from "./hand.js";
import { said, t } from "./lang.js";
import { beside, changes, dealNamed, dealt, inRound, isolated, itemName, leftover, placed, playedNow, satIn, unitOf, wonHow, worth } from "./words.js";

/** @typedef {ReturnType<typeof onAir>} View what viewers see of a state */
/** @typedef {View["seats"][number]} Seated a player as viewers see him */

const NAMES = { E: t("East"), S: t("South"), W: t("West"), N: t("North") };

/** Why each payer pays, each reason once: `own` by the seat of who alone has it, `shared` by several or all of them.
 *  @param {Score | null} score
 *  @param {(wind: Wind) => string} called */
function reasons(score, called) {
  // Shares say their own amount.
  /** @param {Step} step */
  const step = ({ kind, said: how, amount: part = "0" }) => (["share", "liable"].includes(kind) ? said(how) : `${amount(part)}: ${said(how)}`);
  /** @type {Map<string, Wind[]>} */
  const payers = new Map();
  for (const seat of WINDS) {
    const why = (score?.steps || []).filter((of) => of.seat === seat).map(step).join(" · ");
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
 *  @param {{ reading: Reading, context: Context, score: Counted, deal: Deal | null | undefined, called: (wind: Wind | undefined) => string, shared: string[] }} win */
function story({ reading, context, score, deal, called, shared }) {
  const { unit, terms } = reading;
  /** @param {Item} item */
  const worded = (item) => t(item.unit === unit ? terms?.faan || unit : unitOf(item.value, item.unit));
  const [total, counts] = worth({ score, unit, terms, win: context.win });
  return {
    winner: called(context.seat),
    how: wonHow(context.win, called(context.from), terms) ?? ["", "", ""],
    when: deal ? dealNamed(deal) : inRound(context.round ?? "E"),
    rules: t(reading.rules_name || ""),
    items: (score.items || []).map((item) => ({ name: itemName(reading.item_names, item.id), value: item.value, unit: worded(item) })),
    total,
    notes: [
      counts,
      // The steps from items to score; a share that one player alone has is with his payment.
      ...(score.steps || []).filter(({ seat }) => !seat).map((step) => said(step.said)),
      ...shared,
      ...beside(score, unit),
    ].filter(Boolean),
  };
}

/** The tiles of a hand as boxes, `[left, top, right, bottom]`, so roughly that a picture that trembles leaves them as they are.
 *  @param {Pick<Reading, "image" | "tiles">} reading */
function places({ image: { width, height }, tiles }) {
  const step = width / 64;
  /** @param {ShownTile} tile */
  const box = ({ corners }) => {
    const [xs, ys] = [0, 1].map((axis) => corners.map((corner) => corner[axis] / step));
    return [Math.floor(Math.min(...xs)), Math.floor(Math.min(...ys)), Math.ceil(Math.max(...xs)), Math.ceil(Math.max(...ys))].map((of) => of * step);
  };
  return { width, height, tiles: tiles.filter(({ role }) => role !== "other").map(box) };
}

/** The view that a state gives. @param {State} state */
export function onAir({ reading, context = {}, phase, table, seats: seen, ...state }) {
  // Tiles of a lost camera, or unseen for a while, are stale.
  const read = phase === "rejected" || state.stale ? null : reading?.hand;
  const seats = /** @type {NonNullable<State["seats"]>} */ (Object.fromEntries(Object.entries(seen || {}).filter(([, seat]) => !seat.stale)));
  // Drafts, and deals that the ledger rejected or no longer has, are not for viewers.
  // A typed worth has no hand; typed payments have no score.
  const scored = read || reading?.hand === null ? reading?.score : null;
  const score = phase === "confirmed" && scored?.ok && scored.faan !== undefined ? /** @type {Counted} */ (scored) : null;
  // While a confirmed hand is on show the winds are those of its deal; the table has gone on.
  const ended = phase === "confirmed" ? table?.last_deal : null;
  const winds = phase === "confirmed" || state.also ? table?.last_deal?.seats : null;
  /** @type {(player: Player, place: number) => Wind} */
  const windOf = (player, place) => winds?.[place] || player.seat;
  /** @type {Partial<Record<Wind, { standing: string, note: string }>>} */
  const standings = Object.fromEntries((table?.players || []).map((player, place) => {
    const note = placed(player) || (!winds && context.riichi_by?.includes(player.seat) ? "riichi" : "");
    return [windOf(player, place), { standing: player.standing, note }];
  }));
  // Of several winners the hand that is on show is paid for; else all that the deal brought, sticks too.
  const whole = ended && ended.winners.length < 2 ? changes(ended) : null;
  /** @type {Amounts | null} */
  const paid = table && whole?.some((of) => of !== "0")
    ? Object.fromEntries(table.players.map((player, place) => [windOf(player, place), whole?.[place]])) : score?.payments || null;
  const unwon = table && ended && !ended.winners.length ? ended : null;
  const last = table?.last_deal;
  const names = context.names || {};
  /** @param {Wind | undefined} wind */
  const called = (wind) => (wind && (names[wind] || NAMES[wind])) || "";
  const { own: why, shared } = reasons(score, called);
  /** @type {<T>(entry: [Wind, T]) => T & { seat: Wind, name: string }} */
  const row = ([seat, of]) => ({ seat, name: names[seat] || "", ...of });
  return {
    hand: read ? {
      // Before a win it is not known whose hand it is, nor who gave its claimed tiles.
      text: read.text, seat: context.win && context.seat ? context.seat : null, doubtful: !!state.doubtful, waits: reading?.waits || [],
      names, of: { dealer: context.dealer, players: context.players },
    } : null,
    title: context.title || table?.title || "",
    story: reading && score ? story({ reading, context, score, deal: ended, called, shared }) : null,
    paid: paid && inOrder(paid).map(([seat, got]) => row([seat, { amount: got, why: why[seat] ?? "", won: !!score && seat === context.seat }])),
    standings: inOrder(standings).map(row),
    round: table ? [playedNow(table), ...(table.over ? [leftover(table)] : []), ...(unwon ? [dealt(table, unwon)] : [])].filter(Boolean) : [],
    seats: WINDS.flatMap((place) => {
      const wind = windAt(place, context);
      if (!wind) return [];
      const seat = seats[wind];
      const wins = wind === context.seat && !!context.win;
      // The winner shows the confirmed or corrected hand, not the current tiles.
      const own = wins && read;
      const text = own ? read.text : seat?.hand?.text;
      if (!seat && !names[wind] && !(wind in standings) && !text) return [];
      return [{
        place, wind, name: names[wind] || NAMES[wind], text: text || "", wins: wins && !!score,
        doubtful: !!(own ? state.doubtful : seat?.doubtful && text), paid: paid?.[wind] ?? null, why: why[wind] ?? "",
        ...standings[wind], waits: score ? [] : (wins ? reading?.waits : seat?.waits) || [],
        of: { dealer: context.dealer, players: context.players },
      }];
    }),
    last: table && last ? { line: dealt(table, last, { brief: true }), of: dealNamed(last), hands: last.winners.flatMap(({ hand, player }) => (hand ? [{ hand, wind: last.seats[player], sits: satIn(table, last) }] : [])) } : null,
    // The tiles' places in the camera's picture; a photo has none.
    lies: read && state.photo === null && reading?.image ? places(reading) : null,
  };
}
