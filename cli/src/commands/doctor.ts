import { defineCommand } from "../command.ts";
import { CommandFailure } from "../command-failure.ts";
import { linesOf, ownChecks, runChecks, type CheckReport } from "../doctor/run-checks.ts";

/** `tijolo doctor`: looks at the services that are installed on this machine, and says what to do. */
export const doctor = defineCommand({
  name: "doctor",
  options: {},
  examples: ["tijolo doctor", "tijolo doctor --json"],
  async run({ messages, output, environment }) {
    const checks = ownChecks(environment);
    if (checks.length === 0) throw new CommandFailure(messages.doctor.nothingInstalled);
    const results: CheckReport[] = [];
    for await (const report of runChecks(checks, messages)) {
      results.push(report);
      for (const line of linesOf(report, messages)) output.line(line);
    }
    output.json({ checks: results });
    return results.some(({ status }) => status === "fail") ? 1 : 0;
  },
});
