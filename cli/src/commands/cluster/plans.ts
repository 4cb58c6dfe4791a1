import { defineCommand } from "../../command.ts";
import { exitCodes } from "../../command-failure.ts";
import { formatTable } from "../../show/format.ts";

/** `tijolo cluster plans`: plans and limits in effect, with the operator's changes. */
export const clusterPlans = defineCommand({
  name: "cluster plans",
  options: {},
  examples: ["tijolo cluster plans", "tijolo cluster plans --json"],
  async run(context) {
    const { messages, output, signal } = context;
    const { client } = await context.connectOperator();
    const table = await client.listPlans({}, { signal });
    output.json(table);
    const { planFields, limitFields } = messages.cluster;
    const names = Object.keys(planFields).filter((name) => isName(name, planFields));
    const rows = names.map((name) => [planFields[name], ...table.plans.map((plan) => shown(plan[name]))]);
    for (const line of formatTable([[messages.fields.plan, ...table.plans.map(({ name }) => name)], ...rows]))
      output.line(line);
    output.line("");
    const limits = Object.keys(limitFields).filter((name) => isName(name, limitFields));
    for (const line of formatTable(limits.map((name) => [limitFields[name], shown(table.limits[name])])))
      output.line(line);
    return exitCodes.ok;

    function shown(value: number | boolean): string {
      return typeof value === "number" ? String(value) : messages.cluster.yesNo[value ? "yes" : "no"];
    }
  },
});

function isName<Names extends object>(name: string, of: Names): name is Extract<keyof Names, string> {
  return Object.hasOwn(of, name);
}
