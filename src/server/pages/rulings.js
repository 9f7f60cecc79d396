// The rulings of a rule set as fields of a form.
import { t } from "./lang.js";

/** A choice for each ruling of a rule set; `said(id, choice)` is called on a change, with null for the usual one. */
export function rulings(set, chosen, said) {
  return (set?.rulings || []).map((ruling) => {
    const label = document.createElement("label");
    const select = document.createElement("select");
    select.append(...ruling.choices.map((choice) => new Option(choice.replaceAll("_", " ") + (choice === ruling.chosen ? ` (${t("usual")})` : ""), choice)));
    select.value = chosen?.[ruling.id] ?? ruling.chosen;
    select.onchange = (event) => {
      event.stopPropagation();
      said(ruling.id, select.value === ruling.chosen ? null : select.value);
    };
    label.title = ruling.about;
    label.append(`${ruling.about} `, select);
    return label;
  });
}

/** The chosen rulings with one changed; null where all are the usual ones. */
export function withRuling(chosen, id, choice) {
  const changed = { ...chosen, [id]: choice };
  if (choice === null) delete changed[id];
  return Object.keys(changed).length ? changed : null;
}
