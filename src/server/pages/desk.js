// The desk: every table at a glance, its questions and pending entries, and the organiser's actions.
import { amount } from "./hand.js";
import { clockNow, eachSecond, serverNow } from "./hall.js";
import { language, said, sentences, t } from "./lang.js";
import { follow, send } from "./link.js";
import { changes, dealt, inDeal, isolated, whyOver } from "./words.js";

const at = (id) => document.getElementById(id);
const made = (name, text = "", classes = "") => Object.assign(document.createElement(name), { textContent: text, className: classes });
const button = (text, onclick) => Object.assign(made("button", text), { type: "button", onclick });

let now = null;
let chosen = null;
let amends = null;

const one = () => now?.tables.find(({ number }) => number === chosen);
/** A table as the words for its events need it. */
const worded = (table) => ({ ...table, item_names: {} });

function refused(error, again, label = t("Write it down all the same")) {
  const asked = error.body?.asked;
  at("error").replaceChildren(asked ? sentences(asked.said) : error.message);
  if (asked && again) at("error").append(" ", button(label, again));
}

/** Sends an action; returns whether it was done. */
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

const happens = (event) => act({ tournament: event });
const atTable = (table, event) => act({ table: { number: table.number, event, after: table.last_event } });

function since(time) {
  const minutes = Math.floor((serverNow() - Date.parse(time)) / 60_000);
  return minutes < 1 ? t("just now") : t("{minutes} min ago", { minutes });
}

/** The first line of a table's card: questions, pending entries, problems. */
function flags({ waiting, asked, problems, lost, players }) {
  const asks = asked.map(({ asked: { by, text } }) => ["asks", t("{name} asks: {text}", { name: isolated(by), text })]);
  const waits = waiting ? [["waits", t("{name} has entered: not confirmed, {time}", { name: isolated(players[waiting.by]?.name ?? ""), time: since(waiting.at) })]] : [];
  const wrong = [...problems, ...(lost ? [t("events were lost to damage")] : [])].map((what) => ["asks", what]);
  return [...asks, ...waits, ...wrong];
}

function card(table) {
  const said = flags(table);
  const classes = [...new Set(said.map(([kind]) => kind)), ...(table.over ? ["over"] : [])].join(" ");
  const card = Object.assign(made("button", "", classes), { type: "button", onclick: () => { chosen = chosen === table.number ? null : table.number; amends = null; show(now); } });
  card.setAttribute("aria-pressed", chosen === table.number);
  const head = made("b", t("Table {number}", { number: table.table }));
  head.append(made("span", table.over ? t("over") : `${t(table.round)}, ${inDeal(table.deals + 1)}`));
  card.append(head, ...table.players.map(({ name, seat, total }) => {
    const line = made("span", "", "name");
    const who = made("bdi", `${t(seat)} `);
    who.append(made("bdi", name));
    line.append(who, made("span", amount(total)));
    return line;
  }));
  card.append(made("small", table.over ? whyOver({ over: table.over, players: table.players }) : table.last ? t("last deal {time}", { time: since(table.last.at) }) : t("no deal yet")));
  card.append(...said.map(([, text]) => made("span", text, "flag")));
  return card;
}

function showOne() {
  const table = one();
  at("one").hidden = !table;
  if (!table) return;
  at("one-title").textContent = `${t("Table {number}", { number: table.table })}: ${t(table.rules_name)}`;
  at("open").href = `table/${table.table}`;
  const body = [];
  for (const { name, asked } of table.asked) {
    const line = made("p", `${t("{name} asks: {text}", { name: isolated(asked.by), text: asked.text })} `, "flag");
    line.append(button(t("Dealt with"), () => act({ answered: { name } })));
    body.push(line);
  }
  if (table.waiting) {
    const deal = table.waiting.undoes ?? table.waiting.deal;
    const by = { name: isolated(table.players[table.waiting.by].name) };
    const line = made("p", `${table.waiting.undoes ? t("{name} wants to take back:", by) : t("{name} has entered:", by)} ${deal ? dealt(worded(table), deal, { brief: true }) : ""} `);
    line.append(button(t("Take it away"), () => act({ refused: { number: table.number, id: table.waiting.id } })));
    body.push(line);
  }
  if (table.last) {
    const line = made("p", `${t("Last deal: {deal}", { deal: dealt(worded(table), table.last, { brief: true }) })} `);
    line.append(button(t("Payments were otherwise"), () => { amends = table.last; showOne(); }));
    if (table.undo) line.append(" ", button(t("Take it out"), () => confirm(t("Take the last deal out?")) && atTable(table, { undone: { event: table.undo } })));
    body.push(line);
  }
  at("one-body").replaceChildren(...body);
  at("penalty").elements.player.replaceChildren(...table.players.map(({ name }, place) => new Option(name, place)));
  at("end").disabled = !!table.over;
  at("payments").hidden = !amends;
  if (amends) {
    at("of-deal").textContent = t("Each received (−: paid):");
    const paid = changes(amends);
    at("fields").replaceChildren(...table.players.map(({ name }, player) => {
      const label = made("label", `${name} `);
      label.append(Object.assign(document.createElement("input"), { type: "text", size: 6, name: `p${player}`, value: paid[player] }));
      return label;
    }));
  }
}

/** Cards of tables, below headings where several rounds are played. */
function cards() {
  const rounds = new Set(now.tables.map(({ of_round }) => of_round));
  const heading = (number) => made("h3", t("Round {number}", { number }));
  return [...rounds].flatMap((round) => {
    const tables = now.tables.filter(({ of_round }) => of_round === round).map(card);
    return rounds.size > 1 ? [heading(round), ...tables] : tables;
  });
}

/** What can be done with the rounds. The main button is what comes next: none while tables play. */
function showRounds() {
  const { tournament, round, closable } = now;
  const next = tournament.next && tournament.next <= tournament.rounds ? tournament.next : null;
  const runs = round ?? next;
  const starts = !!runs && tournament.clock?.round !== runs;
  const [plays] = Object.keys(now.playing);
  at("open-round").textContent = next ? t("Open the tables of round {number}", { number: next }) : t("All rounds are open");
  at("open-round").disabled = !next;
  at("open-round").classList.toggle("main", !plays);
  at("open-round").onclick = () => act({ open: { round: next } });
  at("start-clock").textContent = t("Start the clock of round {number}", { number: runs ?? "" });
  at("start-clock").disabled = !starts;
  at("start-clock").classList.toggle("main", !!plays && starts);
  at("start-clock").onclick = () => act({ start: { round: runs } });
  at("end-round").hidden = !plays;
  at("end-round").textContent = t("End round {number}", { number: plays });
  at("end-round").onclick = () => confirm(t("End every session of round {number} that still goes on?", { number: plays })) && act({ end: { round: Number(plays) } });
  at("close-round").hidden = !closable;
  at("close-round").textContent = t("Close round {number} again", { number: round });
  at("close-round").onclick = () => confirm(t("Close the tables of round {number}? Nothing has been played there, and they can be opened again.", { number: round })) && act({ close: { round } });
  const later = tournament.next && tournament.next <= tournament.planned ? tournament.next : null;
  at("pair").hidden = !later;
  at("pair").textContent = t("Lay out round {number} by the standings", { number: later });
  at("pair").onclick = () => confirm(t("Lay out round {number} by the standings as they are now?", { number: later })) && act("pair");
  at("people").elements.round.placeholder = next ?? "";
  at("seating").hidden = !tournament.seating;
  at("seating").querySelector("summary").textContent = t("Who sits where in round {round}", { round: tournament.seating?.round });
  at("seating").querySelector("ol").replaceChildren(...(tournament.seating?.tables ?? []).map(({ seats }) => made("li", seats.map((name) => isolated(name ?? t("a reserve"))).join(", "))));
  at("lack").textContent = said(tournament.seating?.lack ?? "");
}

function showTournament() {
  const { tournament, paper } = now;
  for (const id of ["round", "papers", "ranks"]) at(id).hidden = !tournament;
  at("title").textContent = tournament ? t("{name}: desk", tournament) : t("Desk");
  if (!tournament) return;
  showRounds();
  const players = at("people").elements.player;
  const was = players.value;
  players.replaceChildren(...tournament.players.map((name) => new Option(name)));
  if (was) players.value = was;
  at("causes").replaceChildren(...Object.keys(tournament.penalties.causes ?? {}).map((id) => new Option(id)));
  at("entered").replaceChildren(...paper.map(({ of, entered }) => {
    const [round, table] = of.split(" ");
    const who = entered.map(({ by, event }) => `${isolated(by)}: ${event.result.points.map((points) => amount(points)).join(" ")}`).join(" · ");
    return made("li", [t("Round {round}, table {table}: {entries}", { round, table, entries: who }), entered.length > 1 ? t("they differ: look at the sheet and enter it again") : t("waits for a second person")].join(" · "), entered.length > 1 ? "loss" : "");
  }));
  at("results").textContent = said(tournament.results);
  at("standings").replaceChildren(...tournament.standings.map(({ name, player, total }) => {
    const line = made("li");
    line.append(made("bdi", name ?? player), ` ${amount(total)}`);
    return line;
  }));
}

/** One of two versions of a table: its deals, the totals, and who wrote what. */
function version({ deals, events, players, terms }, title, choose) {
  const part = made("div", "", "version");
  const list = made("ol");
  list.append(...deals.map((deal) => made("li", dealt(worded({ players, terms }), deal, { brief: true }))));
  const totals = players ? players.map(({ name, total }) => `${isolated(name)} ${amount(total)}`).join(" · ") : t("these events do not fit together");
  const wrote = events.map(({ at: when, author, what }) => `${new Date(when).toLocaleTimeString(language)} ${isolated(author)}: ${what}`).join(" · ");
  part.append(made("b", title), list, made("p", totals), made("p", wrote, "soft"), button(t("This was played"), choose));
  return part;
}

function showBranches() {
  const { branches, cut, unsent } = now;
  at("unsent").hidden = !cut;
  at("unsent").textContent = [t("Nothing can be sent to the database ({why}).", { why: said(cut) }), unsent === 1 ? t("Tables go on: 1 entry is kept on this machine and sent later.") : t("Tables go on: {count} entries are kept on this machine and sent later.", { count: unsent }), t("What concerns the tournament has to wait.")].join(" ");
  at("branches").hidden = !branches.length;
  at("versions").replaceChildren(...branches.map(({ name, number, machine, database, table }) => {
    const choose = (keep) => () => confirm(t("Is this what was played?")) && act({ choose: { branch: name, keep } });
    const both = made("div", "", "row");
    both.append(version(database, t("In the database"), choose("database")), version(table, t("On {machine}", { machine }), choose("table")));
    const one = made("article");
    one.append(made("h3", number > 1000 ? t("Table {table}, round {round}", { table: number % 1000, round: Math.floor(number / 1000) }) : t("Table {number}", { number })), both);
    return one;
  }));
}

function showClock() {
  const clock = now?.tournament?.clock;
  at("clock").textContent = clock ? `${t("Round {number}", { number: clock.round })}: ${clockNow(clock).says}` : "";
}

function show(state) {
  now = state;
  if (chosen !== null && !one()) chosen = null;
  const { tables } = now;
  const asks = tables.filter(({ asked }) => asked.length).length;
  const waits = tables.filter(({ waiting }) => waiting).length;
  const over = tables.filter((table) => table.over).length;
  at("summary").textContent = tables.length ? [t("{count} tables", { count: tables.length }), t("{count} over", { count: over }), t("{count} wait to be confirmed", { count: waits }), t("{count} ask the desk", { count: asks })].join(" · ") : t("No table is open.");
  const typing = at("one").contains(document.activeElement) && document.activeElement.tagName === "INPUT";
  at("tables").replaceChildren(...cards());
  if (!typing) showOne();
  showTournament();
  showBranches();
  showClock();
}

at("penalty").onsubmit = async (event) => {
  event.preventDefault();
  const { player, cause, points, note } = event.target.elements;
  const table = one();
  const said = { player: Number(player.value), ...(cause.value.trim() && { cause: cause.value.trim() }), ...(points.value.trim() && { points: Number(points.value) }), note: note.value.trim() };
  if (await atTable(table, { penalty: said })) event.target.reset();
};
at("payments").onsubmit = async (event) => {
  event.preventDefault();
  const table = one();
  const payments = table.players.map((_, player) => event.target.elements[`p${player}`].value.trim() || "0");
  const winners = amends.winners.map(({ player, win, from }) => ({ player, win, ...(from !== undefined && { from }) }));
  if (await atTable(table, { corrected: { event: amends.event, with: { deal: { winners, payments } } } })) {
    amends = null;
    showOne();
  }
};
at("end").onclick = () => confirm(t("End this table’s session now?")) && atTable(one(), { ended: { why: "by the desk" } });
at("people").onsubmit = async (event) => {
  event.preventDefault();
  const { player, what, round, reserve } = event.target.elements;
  const said = { player: player.value, round: Number(round.value || round.placeholder) };
  const more = { absent: { ...(reserve.value.trim() && { reserve: reserve.value.trim() }) } }[what.value] ?? {};
  if (await happens({ [what.value]: { ...said, ...more } })) reserve.value = "";
};
at("joining").onsubmit = async (event) => {
  event.preventDefault();
  const { players } = event.target.elements;
  const names = players.value.split(",").map((name) => name.trim()).filter(Boolean);
  if (names.length && await act({ join: { players: names } })) players.value = "";
};
at("paper").onsubmit = async (event) => {
  event.preventDefault();
  const form = event.target.elements;
  const points = Object.fromEntries(["E", "S", "W", "N"].map((seat) => [seat, form[seat].value]));
  try {
    show(await send("api/desk/paper", { by: form.by.value, round: Number(form.round.value), table: Number(form.table.value), points }));
    at("error").textContent = "";
    for (const seat of ["E", "S", "W", "N"]) form[seat].value = "";
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
setInterval(() => now && show(now), 30_000);
document.body.dataset.ready = "yes";
