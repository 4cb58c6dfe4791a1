/** Measures what a visit costs whose site is on another host, over WireGuard and over central, beside Caddy. */

import { join } from "node:path";
import { runOnMachines } from "../../real/mesh/run-on-machines.ts";
import type { Bench, Figure } from "../bench.ts";
import { hasTool } from "../install-tool.ts";
import { Sample } from "../sample.ts";

export const mesh: Bench = {
  name: "mesh",
  async run({ say }): Promise<Figure[]> {
    for (const [program, debianPackage, ask] of [
      ["nginx", "nginx-light", "-v"],
      ["h2load", "nghttp2-client", "--version"],
      ["caddy", "caddy", "version"],
    ] as const)
      if (!hasTool(program, debianPackage, { say, ask })) throw new Error(`it takes ${program}`);
    const figures: Figure[] = [];
    const code = await runOnMachines(join(import.meta.dirname, "far-sites-program.ts"), (line) => {
      if (line.startsWith("figures ")) figures.push(...readFigures(line.slice("figures ".length)));
      else say(line);
    });
    if (code !== 0) throw new Error(`the machines ended with ${code}`);
    return figures;
  },
};

/** A figure as the program prints it. */
export type PlainFigure = Omit<Figure, "rows"> & { rows: { name: string; values: readonly number[] }[] };

function readFigures(text: string): Figure[] {
  return (JSON.parse(text) as PlainFigure[]).map(({ rows, ...figure }) => ({
    ...figure,
    rows: rows.map(({ name, values }) => ({ name, sample: new Sample(values) })),
  }));
}
