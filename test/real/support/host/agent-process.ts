/**
 * A process that stands for an agent: opens the runtime on the given files, starts one project, says so and
 * waits to be killed.
 */

import { readFileSync } from "node:fs";
import { NspawnRuntime } from "../../../../agent/src/runtime/nspawn/nspawn-runtime.ts";
import { Tools } from "../../../../agent/src/host/checks/tools.ts";

const input = JSON.parse(readFileSync(0, "utf8"));
const tools = await Tools.create(input.tools);
const silent = () => {};
const runtime = await NspawnRuntime.create({
  dataDirectory: input.dataDirectory,
  instanceName: input.instanceName,
  tools,
  logger: { info: silent, warn: silent, error: console.error },
  clock: { now: () => new Date() },
});
await runtime.start(input.request);
console.log("started");
setInterval(() => {}, 60_000);
