import { existsSync } from "node:fs";
import { join } from "node:path";
import { defineCommand } from "../command.ts";
import { CommandFailure } from "../command-failure.ts";
import { agentChecks } from "../doctor/agent-checks.ts";
import { centralChecks } from "../doctor/central-checks.ts";
import { fail } from "../doctor/check.ts";
import { gatewayChecks } from "../doctor/gateway-checks.ts";
import { gatewayUnit } from "../install/gateway/gateway-unit.ts";
import { places } from "../install/places.ts";

const marks = { ok: "✓", warn: "!", fail: "✗" } as const;

/** `tijolo doctor`: looks at the services that are installed on this machine, and says what to do. */
export const doctor = defineCommand({
  name: "doctor",
  options: {},
  examples: ["tijolo doctor", "tijolo doctor --json"],
  async run({ messages, output, environment }) {
    const { doctor: texts } = messages;
    const checks = [
      ...(existsSync(places.central) ? centralChecks(environment) : []),
      ...(existsSync(join(places.units, gatewayUnit)) ? gatewayChecks() : []),
      ...(existsSync(places.agent) ? agentChecks() : []),
    ];
    if (checks.length === 0) throw new CommandFailure(texts.nothingInstalled);
    const results: {
      part: string;
      id: string;
      status: keyof typeof marks;
      found: string;
      advice: string | null;
    }[] = [];
    for (const { part, id, run } of checks) {
      const result = await run().catch((cause: unknown) =>
        fail(cause instanceof Error ? cause.message : String(cause)),
      );
      if (result === null) continue;
      const { status, found } = result;
      const { name, advice } = texts.checks[id];
      results.push({ part, id, status, found, advice: status === "ok" ? null : advice });
      output.line(`${marks[status]} ${part}: ${name} (${found})`);
      if (status !== "ok") output.line(`    ${advice}`);
    }
    output.json({ checks: results });
    return results.some(({ status }) => status === "fail") ? 1 : 0;
  },
});
