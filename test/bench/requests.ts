import type { Bench } from "./bench.ts";
export const requests: Bench = { name: "requests", run: async () => [] };
