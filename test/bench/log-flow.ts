import type { Bench } from "./bench.ts";
export const logFlow: Bench = { name: "log-flow", run: async () => [] };
