// The rulings of a rule set as fields of a form.
import { made } from "./kit.js";
import { t } from "./lang.js";

/** A choice for each ruling of a rule set; `said(id, choice)` is called on a change, with null for the usual one.
 *  @param {RuleSet | undefined} set
 *  @param {Record<string, string> | null | undefined} chosen
 *  @param {(id: string, choice: string | null) => unknown} said */
export function rulings(set, chosen, said) {
  return (set?.rulings || []).map((ruling) => {
    const select = made("select", "", ...ruling.choices.map((choice) => new Option(choice.replaceAll("_", " ") + (choice === ruling.chosen ? ` (${t("usual")})` : ""), choice)));
    select.value = chosen?.[ruling.id] ?? ruling.chosen;
    select.onchange = (event) => {
      event.stopPropagation();
      said(ruling.id, select.value === ruling.chosen ? null : select.value);
    };
    return made("label", { title: ruling.about }, `${ruling.about} `, select);
  });
}

/** The chosen rulings with one changed; null where all are the usual ones.
 *  @param {Record<string, string> | null | undefined} chosen
 *  @param {string} id
 *  @param {string | null} choice */
export function withRuling(chosen, id, choice) {
  const { [id]: _, ...others } = chosen ?? {};
  const changed = choice === null ? others : { ...others, [id]: choice };
  return Object.keys(changed).length ? changed : null;
}
