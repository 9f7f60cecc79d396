// What the control page says where there is no picture.
import { at, made } from "./kit.js";
import { t } from "./lang.js";
import { fill } from "./stage.js";

/** The help without a picture: the reason, and each way to get one. @param {Partial<Source>} main */
export function showHelp({ state = "", name = "", why }) {
  /** @param {string} text */
  const code = (text) => made("code", "", text);
  /** A sentence with elements in it, each at its `{name}`.
   *  @param {string} text
   *  @param {Record<string, Node>} [parts] */
  const said = (text, parts = {}) => made("li", "", ...text.split(/\{(\w+)\}/).map((part, place) => (place % 2 ? parts[part] : part)));
  const titles = { none: t("No camera is read"), lost: `${name}: ${why || t("no picture")}`, starting: t("{name} is starting …", { name }) };
  const title = titles[/** @type {keyof typeof titles} */ (state)] || t("{name}: no picture yet", { name });
  const camera = state === "none" ? said(t("Read a camera: in the terminal, {live} in place of {serve}."), { live: code("tilelens live"), serve: code("tilelens serve") })
    : said(t("Plug the camera in, or close the program that has it: its picture then comes here by itself."));
  fill(at("none"), [state, name, why], () => [made("h2", "", title), made("ol", "", camera,
    said(t("Another camera or a file: {cameras} lists the cameras; then {one} or {other}."), { cameras: code("tilelens cameras"), one: code("tilelens live --source camera:1"), other: code("tilelens live --source match.mp4") }),
    said(t("A photo: open {phone} here, or on a phone with {lan} and the code that is printed then."), { phone: made("a", { href: "phone", target: "_blank" }, "phone"), lan: code("--lan") }),
    said(t("No picture at all: choose the winner and type what it was worth.")),
  )]);
}
