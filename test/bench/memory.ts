import type { Bench } from "./bench.ts";
export const memory: Bench = { name: "memory", run: async () => [] };
