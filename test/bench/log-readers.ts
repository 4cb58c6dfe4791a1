/**
 * Readers of log streams in a process of their own: each holds one stream open and counts the lines it gets;
 * none may end.
 */

import { get } from "node:http";

interface Streams {
  port: number;
  key: string;
  /** One stream each. */
  projectIds: string[];
}

let lines = 0;

process.on("message", (message: Streams | "count") => {
  if (message === "count") {
    process.send?.({ lines });
    return;
  }
  const { port, key, projectIds } = message;
  void Promise.all(projectIds.map((id) => open({ port, key, id }))).then(() => process.send?.("open"));
});

function open({ port, key, id }: { port: number; key: string; id: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, accept: "text/event-stream" };
    const request = get(
      { port, host: "127.0.0.1", path: `/api/projects/${id}/logs?lines=0`, headers, agent: false },
      (response) => {
        if (response.statusCode !== 200) {
          reject(new Error(`a log stream answered ${response.statusCode}`));
          return;
        }
        response.setEncoding("utf8");
        response.on("data", (text: string) => (lines += text.split("event: log").length - 1));
        // A figure beside fewer streams than it names would be wrong: the bench ends with this program.
        response.once("close", () => {
          throw new Error("a log stream ended");
        });
        resolve();
      },
    );
    request.once("error", reject);
  });
}
