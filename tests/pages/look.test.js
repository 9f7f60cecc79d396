import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

const PAGES = new URL("../../src/server/pages/", import.meta.url);
const text = (name) => readFileSync(new URL(name, PAGES), "utf8");

/** How bright a colour is, from 0 to 1 (WCAG 2). */
function brightness(colour) {
  const [red, green, blue] = colour.match(/[0-9a-f]{2}/g).map((part) => parseInt(part, 16) / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
function contrast(one, other) {
  const [dark, light] = [brightness(one), brightness(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

test("figures and texts stand out from the panel by 7 to 1 in each theme of the overlay, winds from their accents too", () => {
  const themes = readdirSync(PAGES).filter((name) => name.startsWith("theme-"));
  assert.equal(themes.length, 4);
  for (const name of themes) {
    const colours = Object.fromEntries([...text(name).matchAll(/--([\w-]+): (#[0-9a-f]{6})/g)].map(([, of, colour]) => [of, colour]));
    for (const of of ["ink", "soft", "brand", "gain", "loss"]) assert.ok(contrast(colours[of], colours.panel) >= 7, `${name}: ${of} ${contrast(colours[of], colours.panel)}`);
    for (const seat of "ESWN") assert.ok(contrast(colours[`player-${seat}`], "#101010") >= 6, `${name}: ${seat}`);
  }
});

test("the shipped letters cover nearly all that the words of the Japanese and Chinese pages are written in: scripts/fonts.sh makes them", () => {
  const shipped = Object.fromEntries([...text("letters.txt").matchAll(/^Characters of (\w+): (.*)$/gm)].map(([, language, all]) => [language, all]));
  for (const language of ["ja", "zh"]) {
    const used = new Set(Object.values(JSON.parse(text(`../../../crates/scoring/src/words/${language}.json`))).join("").match(/[^ -\u017f]/gu));
    const lacking = [...used].filter((character) => !shipped[language].includes(character));
    assert.ok(used.size > 500 && lacking.length <= used.size / 50, `${language}: ${lacking.join("")}`);
  }
});
