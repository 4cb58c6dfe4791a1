/** Computes the contrast of each pair of colours that may meet, in both themes, from `tokens.css` itself. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

type Colours = ReadonlyMap<string, string>;

const css = readFileSync(new URL("tokens.css", import.meta.url), "utf8");
const light = coloursOf(":root {");
const dark = coloursOf(':root[data-theme="dark"] {');
const themes: readonly (readonly [name: string, colours: Colours])[] = [
  ["light", light],
  ["dark", dark],
];

const surfaces = ["paper", "raised", "sunken", "hover"];
const tones = ["ok", "warn", "bad", "info", "brick"];
const ansi = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];

interface Rule {
  least: number;
  pairs: readonly (readonly [front: string, back: string])[];
}

const rules: Record<string, Rule> = {
  "text on each surface": {
    least: 7,
    pairs: ["ink", "soft"].flatMap((front) => surfaces.map((back) => [front, back] as const)),
  },
  "text on each coloured ground": {
    least: 7,
    pairs: tones.map((tone) => ["ink", `${tone}-wash`] as const),
  },
  "coloured text on each surface and on its own ground": {
    least: 4.5,
    pairs: tones.flatMap((tone) => [...surfaces, `${tone}-wash`].map((back) => [tone, back] as const)),
  },
  "text on filled buttons, a selection and a tooltip": {
    least: 4.5,
    pairs: [
      ["on-brick", "brick"],
      ["on-brick", "brick-strong"],
      ["on-bad", "bad"],
      ["on-bad", "bad-strong"],
      ["paper", "ink"],
    ],
  },
  "the colours of a log": {
    least: 4.5,
    pairs: ansi.flatMap((name) => [
      [`ansi-${name}`, "sunken"] as const,
      [`ansi-bright-${name}`, "sunken"] as const,
    ]),
  },
  "edges and the ring of the focus": {
    least: 3,
    pairs: ["line", "focus"].flatMap((front) => surfaces.map((back) => [front, back] as const)),
  },
};

for (const [theme, colours] of themes) {
  for (const [name, { least, pairs }] of Object.entries(rules)) {
    test(`${theme}: ${name} has a contrast of ${least} or more`, () => {
      const weak = pairs
        .map(([front, back]) => ({
          front,
          back,
          ratio: contrast(colour(colours, front), colour(colours, back)),
        }))
        .filter(({ ratio }) => ratio < least)
        .map(({ front, back, ratio }) => `--${front} on --${back}: ${ratio.toFixed(2)}`);
      assert.deepEqual(weak, []);
    });
  }
}

test("the dark colours are the same by the system's wish and by the person's", () => {
  assert.deepEqual(coloursOf(':root:not([data-theme="light"]) {'), dark);
});

test("each colour has a light and a dark value", () => {
  assert.deepEqual([...dark.keys()], [...light.keys()]);
});

test("the ratio is that of WCAG: black on white has 21, paper and ink have what the design says", () => {
  assert.equal(contrast("#000000", "#ffffff"), 21);
  assert.equal(contrast(colour(light, "ink"), colour(light, "paper")).toFixed(0), "16");
  assert.equal(contrast(colour(dark, "brick"), colour(dark, "paper")).toFixed(1), "7.4");
});

/** Returns the hexadecimal colours of the first block that begins with the selector, by name without dashes. */
function coloursOf(selector: string): Colours {
  const start = css.indexOf(selector);
  assert.notEqual(start, -1, `tokens.css has no ${selector}`);
  const block = css.slice(start, css.indexOf("}", start));
  const found = block.matchAll(/--([\w-]+):\s*(#[\da-f]{6});/g);
  return new Map(Array.from(found, ([, name, value]) => [String(name), String(value)]));
}

function colour(colours: Colours, name: string): string {
  const value = colours.get(name);
  assert.ok(value, `--${name} is no colour of tokens.css`);
  return value;
}

/** Returns the contrast ratio of WCAG 2.2, from 1 to 21. */
function contrast(one: string, other: string): number {
  const [brighter = 0, darker = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (brighter + 0.05) / (darker + 0.05);
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
