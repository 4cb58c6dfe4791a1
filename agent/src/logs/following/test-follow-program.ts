/** Runs a process for tests that follows a log and writes each line's cursor and text to stdout. */

import { writeSync } from "node:fs";
import { ProjectLogs } from "../project-logs.ts";

const [data = "", projectId = "", after = ""] = process.argv.slice(2);
const logs = new ProjectLogs({ data, bootId: "a boot", createId: () => "program0" });
for await (const batch of logs.follow(projectId, { after, lines: 0 }, new AbortController().signal)) {
  for (const item of batch) {
    writeSync(
      1,
      `${JSON.stringify(item.type === "line" ? { cursor: item.cursor, text: item.text } : item)}\n`,
    );
  }
}
