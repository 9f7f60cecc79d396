// The desk: every table at a glance, its questions and pending entries, and the organiser's actions.
import { WINDS, amount } from "./hand.js";
import { clockNow, eachSecond, serverNow } from "./hall.js";
import { at, button, fieldsOf, focused, lines, made, one } from "./kit.js";
import { language, said, sentences, t } from "./lang.js";
import { follow, send } from "./link.js";
import { changes, dealt, inDeal, isolated, whyOver } from "./words.js";


/** @type {Desk | null} */
let now = null;
/** @type {number | null} */
let chosen = null;
/** @type {Deal | null} */
let amends = null;

/** The table that is chosen. */
const chosenTable = () => now?.tables.find(({ number }) => number === chosen);
/** A table as the words for its events need it.
 *  @template T
 *  @param {T} table
 *  @returns {T & { item_names: Record<string, string> }} */
const worded = (table) => ({ ...table, item_names: {} });

/** @param {Error & { body?: Refusal }} error
 *  @param {(() => unknown) | null} again */
function refused(error, again = null, label = t("Write it down all the same")) {
  const asked = error.body?.asked;
  at("error").replaceChildren(asked ? sentences(asked.said) : error.message);
  if (asked && again) at("error").append(" ", button(label, again));
}

/** Sends an action; returns whether it was done.
 *  @param {any} does
 *  @param {boolean} [meant] */
async function act(does, meant = false) {
  try {
    show(await send("api/desk", { does, meant }));
    at("error").textContent = "";
    return true;
  } catch (error) {
    refused(error, () => act(does, true), does.open && t("Open it all the same"));
    return false;
  }
}

/** @param {object} event */
const happens = (event) => act({ tournament: event });
/** Writes an event at a table, which is as it was shown.
 *  @param {DeskTable} table
 *  @param {object} event */
const atTable = (table, event) => act({ table: { number: table.number, event, after: table.last_event } });

/** @param {string} time */
function since(time) {
  const minutes = Math.floor((serverNow() - Date.parse(time)) / 60_000);
  return minutes < 1 ? t("just now") : t("{minutes} min ago", { minutes });
}

/** The first line of a table's card: questions, pending entries, problems. @param {DeskTable} table */
function flags({ waiting, asked, problems, lost, players }) {
  const asks = asked.map(({ asked: { by, text } }) => ["asks", t("{name} asks: {text}", { name: isolated(by), text })]);
  const waits = waiting ? [["waits", t("{name} has entered: not confirmed, {time}", { name: isolated(players[waiting.by]?.name ?? ""), time: since(waiting.at) })]] : [];
  const wrong = [...problems, ...(lost ? [t("events were lost to damage")] : [])].map((what) => ["asks", what]);
  return [...asks, ...waits, ...wrong];
}

/** @param {DeskTable} table */
function card(table) {
  const said = flags(table);
  const classes = [...new Set(said.map(([kind]) => kind)), ...(table.over ? ["over"] : [])].join(" ");
  const choose = () => {
    chosen = chosen === table.number ? null : table.number;
    amends = null;
    showAgain();
  };
  const card = button("", choose, classes);
  card.setAttribute("aria-pressed", String(chosen === table.number));
  const place = made("span", "", table.over ? t("over") : `${t(table.round)}, ${inDeal(table.deals + 1)}`);
  card.append(made("b", "", t("Table {number}", { number: table.table }), place), ...table.players.map(({ name, seat, total }) =>
    made("span", "name", made("bdi", "", `${t(seat)} `, made("bdi", "", name)), made("span", "", amount(total)))));
  card.append(made("small", "", table.over ? whyOver({ over: table.over, players: table.players }) : table.last ? t("last deal {time}", { time: since(table.last.at) }) : t("no deal yet")));
  card.append(...said.map(([, text]) => made("span", "flag", text)));
  return card;
}

function showOne() {
  const table = chosenTable();
  at("one").hidden = !table;
  if (!table) return;
  at("one-title").textContent = `${t("Table {number}", { number: table.table })}: ${t(table.rules_name)}`;
  at("open").href = `table/${table.table}`;
  const body = [];
  for (const { name, asked } of table.asked) {
    const line = made("p", "flag", `${t("{name} asks: {text}", { name: isolated(asked.by), text: asked.text })} `);
    line.append(button(t("Dealt with"), () => act({ answered: { name } })));
    body.push(line);
  }
  const { waiting } = table;
  if (waiting) {
    const deal = waiting.undoes ?? waiting.deal;
    const by = { name: isolated(table.players[waiting.by].name) };
    const line = made("p", "", `${waiting.undoes ? t("{name} wants to take back:", by) : t("{name} has entered:", by)} ${deal ? dealt(worded(table), deal, { brief: true }) : ""} `);
    line.append(button(t("Take it away"), () => act({ refused: { number: table.number, id: waiting.id } })));
    body.push(line);
  }
  if (table.last) {
    const line = made("p", "", `${t("Last deal: {deal}", { deal: dealt(worded(table), table.last, { brief: true }) })} `);
    line.append(button(t("Payments were otherwise"), () => {
      amends = table.last;
      showOne();
    }));
    if (table.undo) line.append(" ", button(t("Take it out"), () => confirm(t("Take the last deal out?")) && atTable(table, { undone: { event: table.undo } })));
    body.push(line);
  }
  at("one-body").replaceChildren(...body);
  fieldsOf(at("penalty")).player.replaceChildren(...table.players.map(({ name }, place) => new Option(name, String(place))));
  at("end").disabled = !!table.over;
  at("payments").hidden = !amends;
  if (amends) {
    at("of-deal").textContent = t("Each received (−: paid):");
    const paid = changes(amends);
    at("fields").replaceChildren(...table.players.map(({ name }, player) =>
      made("label", "", `${name} `, made("input", { type: "text", size: 6, name: `p${player}`, value: paid[player] }))));
  }
}

/** Cards of tables, below headings where several rounds are played. @param {Desk} desk */
function cards({ tables: all }) {
  const rounds = new Set(all.map(({ of_round }) => of_round));
  /** @param {number | null} number */
  const heading = (number) => made("h3", "", t("Round {number}", { number }));
  return [...rounds].flatMap((round) => {
    const tables = all.filter(({ of_round }) => of_round === round).map(card);
    return rounds.size > 1 ? [heading(round), ...tables] : tables;
  });
}

/** A button's words, and below them what it does to tables that play.
 *  @param {HTMLElement} button
 *  @param {string} text
 *  @param {string} does */
const offers = (button, text, does) => button.replaceChildren(text, made("small", "", does));

/** What the tables do that play another round than the one that is opened.
 *  @param {Desk["playing"]} playing
 *  @param {number | null} next */
function goOn(playing, next) {
  const others = Object.entries(playing).filter(([round]) => Number(round) !== next);
  return others.map(([round, tables]) => (tables.length === 1
    ? t("Table {table} still plays round {round}: its phones stay there until it ends", { table: tables[0], round })
    : t("Tables {tables} still play round {round}: their phones stay there until they end", { tables: tables.join(", "), round }))).join("; ");
}

/** What can be done with the rounds. The main button is what comes next: none while tables play.
 *  @param {NonNullable<Desk["tournament"]>} tournament
 *  @param {Desk} desk */
function showRounds(tournament, { round, closable, playing, tables }) {
  const next = tournament.next && tournament.next <= tournament.rounds ? tournament.next : null;
  const runs = round ?? next;
  const starts = !!runs && tournament.clock?.round !== runs;
  const [plays] = Object.keys(playing);
  const ofRound = (/** @type {number | null} */ number) => tables.filter(({ of_round: of }) => of === number);
  const going = Object.values(playing).flat().length;
  if (next) offers(at("open-round"), t("Open the tables of round {number}", { number: next }), goOn(playing, next) || t("No table plays."));
  else at("open-round").textContent = t("All rounds are open");
  at("open-round").disabled = !next;
  at("open-round").classList.toggle("main", !plays);
  at("open-round").onclick = () => act({ open: { round: next } });
  const started = ofRound(runs);
  offers(at("start-clock"), t("Start the clock of round {number}", { number: runs ?? "" }),
    t("It runs at {count} tables; already dealt: {dealt}.", { count: started.length, dealt: started.filter(({ deals }) => deals).length }));
  at("start-clock").disabled = !starts;
  at("start-clock").classList.toggle("main", !!plays && starts);
  at("start-clock").onclick = () => act({ start: { round: runs } });
  at("end-round").hidden = !plays;
  offers(at("end-round"), t("End round {number}", { number: plays }), t("Tables that stop: {tables}. Their points count as they are.", { tables: playing[plays]?.join(", ") }));
  at("end-round").onclick = () => confirm(t("End every session of round {number} that still goes on?", { number: plays })) && act({ end: { round: Number(plays) } });
  at("close-round").hidden = !closable;
  offers(at("close-round"), t("Close round {number} again", { number: round }), t("Nothing was dealt at its {count} tables.", { count: ofRound(round).length }));
  at("close-round").onclick = () => confirm(t("Close the tables of round {number}? Nothing has been played there, and they can be opened again.", { number: round })) && act({ close: { round } });
  const later = tournament.next && tournament.next <= tournament.planned ? tournament.next : null;
  at("pair").hidden = !later;
  offers(at("pair"), t("Lay out round {number} by the standings", { number: later }), going ? t("{count} tables still play and are not in them.", { count: going }) : t("No table plays."));
  at("pair").onclick = () => confirm(t("Lay out round {number} by the standings as they are now?", { number: later })) && act("pair");
  fieldsOf(at("people")).round.placeholder = String(next ?? "");
  at("seating").hidden = !tournament.seating;
  one(at("seating"), "summary").textContent = t("Who sits where in round {round}", { round: tournament.seating?.round });
  one(at("seating"), "ol").replaceChildren(...(tournament.seating?.tables ?? []).map(({ seats }) => made("li", "", seats.map((name) => isolated(name ?? t("a reserve"))).join(", "))));
  at("lack").textContent = said(tournament.seating?.lack ?? "");
}

/** Changes of a clock that runs: of all tables of its round, or of one.
 *  @param {NonNullable<Desk["tournament"]>} tournament
 *  @param {Desk} desk */
function showClockChanges({ clock }, { tables }) {
  at("changes-clock").hidden = !clock;
  if (!clock) return;
  const { round } = clock;
  const going = tables.filter((table) => table.of_round === round && !table.over);
  at("of-clock").textContent = t("Clock of round {number}", { number: round });
  /** @type {HTMLSelectElement} */
  const of = at("clock-of");
  const was = of.value;
  of.replaceChildren(new Option(t("all tables"), ""), ...going.map(({ table, clock: own }) =>
    new Option([t("Table {number}", { number: table }), own?.paused ? clockNow(own).says : ""].filter(Boolean).join(" · "), String(table))));
  if ([...of.options].some(({ value }) => value === was)) of.value = was;
  const stands = () => {
    const clocks = of.value ? going.filter(({ table }) => table === Number(of.value)) : going;
    return clocks.length ? clocks.map(({ clock: own }) => !!own?.paused) : [!!clock.paused];
  };
  const offer = () => {
    at("pause-clock").disabled = stands().every((stood) => stood);
    at("resume-clock").disabled = !stands().some((stood) => stood);
  };
  of.onchange = offer;
  offer();
  /** @param {string | { added: number }} change */
  const change = (change) => happens({ clock_changed: { round, ...(of.value ? { table: Number(of.value) } : {}), change } });
  at("pause-clock").onclick = () => change("paused");
  at("resume-clock").onclick = () => change("resumed");
  at("add-minutes").onclick = () => change({ added: 5 });
}

/** @param {Desk} desk */
function showTournament(desk) {
  const { tournament, paper } = desk;
  for (const part of [at("round"), at("papers"), at("ranks")]) part.hidden = !tournament;
  at("title").textContent = tournament ? t("{name}: desk", tournament) : t("Desk");
  if (!tournament) return;
  showRounds(tournament, desk);
  showClockChanges(tournament, desk);
  const players = fieldsOf(at("people")).player;
  const was = players.value;
  players.replaceChildren(...tournament.players.map((name) => new Option(name)));
  if (was) players.value = was;
  at("causes").replaceChildren(...Object.keys(tournament.penalties.causes ?? {}).map((id) => new Option(id)));
  at("entered").replaceChildren(...paper.map(({ of, entered }) => {
    const [round, table] = of.split(" ");
    const who = entered.map(({ by, event }) => `${isolated(by)}: ${event.result.points.map((points) => amount(points)).join(" ")}`).join(" · ");
    return made("li", entered.length > 1 ? "loss" : "", [t("Round {round}, table {table}: {entries}", { round, table, entries: who }), entered.length > 1 ? t("they differ: look at the sheet and enter it again") : t("waits for a second person")].join(" · "));
  }));
  at("results").textContent = said(tournament.results);
  at("standings").replaceChildren(...tournament.standings.map(({ name, total }) => made("li", "", made("bdi", "", name), ` ${amount(total)}`)));
}

/** One of two versions of a table: its deals, the totals, and who wrote what.
 *  @param {Version} version
 *  @param {string} title
 *  @param {() => unknown} choose */
function version({ deals, events, players, terms }, title, choose) {
  const list = made("ol", "", ...lines("li", deals.map((deal) => dealt(worded({ players: players ?? [], terms }), deal, { brief: true }))));
  const totals = players ? players.map(({ name, total }) => `${isolated(name)} ${amount(total)}`).join(" · ") : t("these events do not fit together");
  const wrote = events.map(({ at: when, author, what }) => `${new Date(when).toLocaleTimeString(language)} ${isolated(author)}: ${what}`).join(" · ");
  return made("div", "version", made("b", "", title), list, made("p", "", totals), made("p", "soft", wrote), button(t("This was played"), choose));
}

/** @param {Desk} desk */
function showBranches({ branches, cut, unsent }) {
  at("unsent").hidden = !cut;
  at("unsent").textContent = [t("Nothing can be sent to the database ({why}).", { why: said(cut ?? "") }), unsent === 1 ? t("Tables go on: 1 entry is kept on this machine and sent later.") : t("Tables go on: {count} entries are kept on this machine and sent later.", { count: unsent }), t("What concerns the tournament has to wait.")].join(" ");
  at("branches").hidden = !branches.length;
  at("versions").replaceChildren(...branches.map(({ name, number, machine, database, table }) => {
    const choose = (/** @type {"database" | "table"} */ keep) => () => confirm(t("Is this what was played?")) && act({ choose: { branch: name, keep } });
    const both = made("div", "row", version(database, t("In the database"), choose("database")), version(table, t("On {machine}", { machine }), choose("table")));
    return made("article", "", made("h3", "", number > 1000 ? t("Table {table}, round {round}", { table: number % 1000, round: Math.floor(number / 1000) }) : t("Table {number}", { number })), both);
  }));
}

function showClock() {
  const clock = now?.tournament?.clock;
  at("clock").textContent = clock ? `${t("Round {number}", { number: clock.round })}: ${clockNow(clock).says}` : "";
}

/** @param {Desk} state */
function show(state) {
  now = state;
  if (chosen !== null && !chosenTable()) chosen = null;
  const { tables } = state;
  const asks = tables.filter(({ asked }) => asked.length).length;
  const waits = tables.filter(({ waiting }) => waiting).length;
  const over = tables.filter((table) => table.over).length;
  at("summary").textContent = tables.length ? [t("{count} tables", { count: tables.length }), t("{count} over", { count: over }), t("{count} wait to be confirmed", { count: waits }), t("{count} ask the desk", { count: asks })].join(" · ") : t("No table is open.");
  const typing = at("one").contains(focused()) && focused().tagName === "INPUT";
  at("tables").replaceChildren(...cards(state));
  if (!typing) showOne();
  showTournament(state);
  showBranches(state);
  showClock();
}

/** Shows the state again: a time or a choice has changed. */
const showAgain = () => now && show(now);

at("penalty").onsubmit = async (event) => {
  event.preventDefault();
  const table = chosenTable();
  if (!table) return;
  const { player, cause, points, note } = fieldsOf(at("penalty"));
  const said = { player: Number(player.value), ...(cause.value.trim() && { cause: cause.value.trim() }), ...(points.value.trim() && { points: Number(points.value) }), note: note.value.trim() };
  if (await atTable(table, { penalty: said })) at("penalty").reset();
};
at("payments").onsubmit = async (event) => {
  event.preventDefault();
  const table = chosenTable();
  if (!table || !amends) return;
  const payments = table.players.map((_, player) => fieldsOf(at("payments"))[`p${player}`].value.trim() || "0");
  const winners = amends.winners.map(({ player, win, from }) => ({ player, win, ...(from !== undefined && { from }) }));
  if (await atTable(table, { corrected: { event: amends.event, with: { deal: { winners, payments } } } })) {
    amends = null;
    showOne();
  }
};
at("end").onclick = () => {
  const table = chosenTable();
  if (table && confirm(t("End this table’s session now?"))) atTable(table, { ended: { why: "by the desk" } });
};
at("people").onsubmit = async (event) => {
  event.preventDefault();
  const { player, what, round, reserve } = fieldsOf(at("people"));
  const said = { player: player.value, round: Number(round.value || round.placeholder) };
  const more = what.value === "absent" && reserve.value.trim() ? { reserve: reserve.value.trim() } : {};
  if (await happens({ [what.value]: { ...said, ...more } })) reserve.value = "";
};
at("joining").onsubmit = async (event) => {
  event.preventDefault();
  const { players } = fieldsOf(at("joining"));
  const names = players.value.split(",").map((name) => name.trim()).filter(Boolean);
  if (names.length && await act({ join: { players: names } })) players.value = "";
};
at("paper").onsubmit = async (event) => {
  event.preventDefault();
  const form = fieldsOf(at("paper"));
  const points = Object.fromEntries(WINDS.map((seat) => [seat, form[seat].value]));
  try {
    show(await send("api/desk/paper", { by: form.by.value, round: Number(form.round.value), table: Number(form.table.value), points }));
    at("error").textContent = "";
    for (const seat of WINDS) form[seat].value = "";
    form.table.focus();
  } catch (error) {
    refused(error);
    form[error.body?.field]?.focus();
  }
};

follow(show, (there) => {
  at("lost-touch").hidden = there;
  if (there) at("error").textContent = "";
}, "api/desk/socket");
eachSecond(showClock);
setInterval(showAgain, 30_000);
document.body.dataset.ready = "yes";
