/** The program: configuration from the environment, then runs until a signal; projects stay up when it ends. */

import { randomBytes } from "node:crypto";
import { standardLog } from "@tijolo/protocol/node";
import { pino } from "pino";
import { Agent } from "./agent.ts";
import { parseConfig } from "./config.ts";

const logger = pino({ level: process.env["TIJOLO_LOG_LEVEL"] ?? "info", base: { program: "agent" } }, standardLog("agent"));

const agent = await start();
logger.info({ hostId: agent.hostId }, "agent serves");

let isClosing = false;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    if (isClosing) return;
    isClosing = true;
    logger.info({ signal }, "agent stops; its projects keep running");
    void agent[Symbol.asyncDispose]().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, "the agent did not stop cleanly");
        process.exit(1);
      },
    );
  });
}

/** What keeps it from starting is said in its own words, line by line; the stack is for the debug level. */
async function start(): Promise<Agent> {
  try {
    const config = parseConfig(process.env);
    return await Agent.create(config, { clock: { now: () => Date.now() }, random: (bytes) => randomBytes(bytes), logger });
  } catch (error) {
    logger.debug({ err: error }, "could not start");
    for (const line of (error instanceof Error ? error.message : String(error)).split("\n")) logger.fatal(line);
    process.exit(1);
  }
}
