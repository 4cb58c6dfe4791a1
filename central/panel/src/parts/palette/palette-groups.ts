/** Chooses what the palette shows for what was typed. Pure. */

import type { PaletteGroup, PaletteItem } from "../../ui/overlays/palette.tsx";
import { plainText, scoreOf } from "./fuzzy.ts";

export interface PaletteSource extends PaletteGroup {
  /** Number of items that are shown before anything is typed. */
  first: number;
}

/** Bounds of what is shown: more is found by another letter. */
const most = { perGroup: 12, inAll: 60 };

/** Before anything is typed the groups as they stand; then what answers, the best group and item first. */
export function choose(sources: readonly PaletteSource[], query: string): PaletteGroup[] {
  const typed = plainText(query.trim());
  const groups =
    typed === ""
      ? sources.map(({ key, label, items, first }) => ({ key, label, items: items.slice(0, first) }))
      : sources.map((source) => answering(source, typed)).toSorted((one, other) => other.best - one.best);
  let left = most.inAll;
  return groups
    .map(({ key, label, items }) => {
      const shown = items.slice(0, left);
      left -= shown.length;
      return { key, label, items: shown };
    })
    .filter(({ items }) => items.length > 0);
}

function answering({ key, label, items }: PaletteSource, typed: string): PaletteGroup & { best: number } {
  const scored = items
    .map((item) => ({ item, score: scoreOfItem(item, typed) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, most.perGroup);
  return { key, label, best: scored[0]?.score ?? 0, items: scored.map(({ item }) => item) };
}

/** What stands beside the label counts less, and only by whole pieces: long sentences have every letter. */
function scoreOfItem({ label, detail = "" }: PaletteItem, typed: string): number {
  const ofLabel = scoreOf(typed, plainText(label));
  if (ofLabel > 0 || detail === "") return ofLabel;
  const text = plainText(`${label} ${detail}`);
  return typed.split(/\s+/).every((word) => text.includes(word)) ? scoreOf(typed, text) / 4 : 0;
}
