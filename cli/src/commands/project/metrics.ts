import { metricRanges } from "@tijolo/protocol";
import { defineCommand, projectOption } from "../../command.ts";
import { exitCodes } from "../../command-failure.ts";
import { connectProject } from "../../project/find-project.ts";
import { formatMetrics } from "../../metrics/format-metrics.ts";
import { readProject } from "../../project/named-project.ts";
import { readChoice } from "../../command-line/parse-arguments.ts";

/** `tijolo metrics`. */
export const projectMetrics = defineCommand({
  name: "metrics",
  argument: "id|name|folder",
  options: {
    project: projectOption,
    range: { type: "string", value: metricRanges.join("|"), summary: "range" },
  },
  examples: ["tijolo metrics", "tijolo metrics meu-bot --range 24h", "tijolo metrics --range 7d --json"],
  async run(context, input) {
    const { output, messages, signal } = context;
    const range = readChoice(input.options.range, "--range", metricRanges, messages) ?? "1h";
    const { client, projectId } = await connectProject(context, readProject(input, messages));
    const metrics = await client.getMetrics({ id: projectId, query: { range } }, { signal });
    output.json(metrics);
    for (const line of formatMetrics(context, range, metrics)) output.line(line);
    return exitCodes.ok;
  },
});
