/** Projects of one account reach each other on hosts that are separate machines, and nobody else's. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { runOnMachines } from "./run-on-machines.ts";

test("projects of one account reach each other across hosts: by UDP, from behind NAT, and over central where UDP is dropped", async (context) => {
  const lines: string[] = [];
  const code = await runOnMachines(join(import.meta.dirname, "mesh-drill.ts"), (line) => {
    lines.push(line);
    context.diagnostic(line);
  });
  assert.equal(code, 0, lines.join("\n"));
});
