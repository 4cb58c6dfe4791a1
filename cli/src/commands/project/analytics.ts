import { defineCommand, projectOption } from "../../command.ts";
import { exitCodes } from "../../command-failure.ts";
import { readChoice } from "../../command-line/parse-arguments.ts";
import { formatAnalytics } from "../../metrics/format-analytics.ts";
import { connectProject } from "../../project/find-project.ts";
import { readProject } from "../../project/named-project.ts";

const ranges = ["24h", "7d", "30d"] as const;
const periods = {
  "24h": { days: 1, interval: "15m" },
  "7d": { days: 7, interval: "1h" },
  "30d": { days: 30, interval: "1d" },
} as const;
const dayMs = 86_400_000;

/** `tijolo analytics`. */
export const projectAnalytics = defineCommand({
  name: "analytics",
  argument: "id|name|folder",
  options: {
    project: projectOption,
    range: { type: "string", value: ranges.join("|"), summary: "range" },
  },
  examples: [
    "tijolo analytics",
    "tijolo analytics meu-site --range 7d",
    "tijolo analytics --range 30d --json",
  ],
  async run(context, input) {
    const { output, messages, signal, clock } = context;
    const range = readChoice(input.options.range, "--range", ranges, messages) ?? "24h";
    const { days, interval } = periods[range];
    const { client, projectId } = await connectProject(context, readProject(input, messages));
    const start = new Date(clock.now() - days * dayMs).toISOString();
    const answer = await client.getAnalytics({ id: projectId, query: { start, interval } }, { signal });
    output.json(answer);
    for (const line of formatAnalytics(context, range, answer.analytics)) output.line(line);
    return exitCodes.ok;
  },
});
