// The games in the server's folder and the records of its tables, the newest first; each is replayed on a page of its own.
import { at, made, say } from "./kit.js";
import { language, t } from "./lang.js";
import { get } from "./link.js";

const answer = await get("api/records");
const games = /** @type {KeptGame[]} */ (Array.isArray(answer) ? answer : []);
at("games-none").hidden = games.length > 0;
say(at("games-none"), answer.error ?? t("There is no game here yet."), { wrong: Boolean(answer.error) });
at("games").append(...games.map(({ name, written, table }) => {
  const when = new Date(written);
  const time = made("time", { dateTime: when.toISOString() }, when.toLocaleString(language, { dateStyle: "medium", timeStyle: "short" }));
  return made("li", "", made("a", { href: `replay/${encodeURIComponent(name)}` }, made("bdi", "", table === undefined ? name : t("Table {number}", { number: table })), time));
}));
