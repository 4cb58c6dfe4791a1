import type { Bench } from "./bench.ts";
export const projectStart: Bench = { name: "project-start", run: async () => [] };
