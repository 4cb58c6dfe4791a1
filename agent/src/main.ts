/** The program: configuration from the environment, then runs until a signal; projects stay up when it ends. */

import { randomBytes } from "node:crypto";
import { pino } from "pino";
import { Agent } from "./agent.ts";
import { parseConfig } from "./config.ts";

const config = parseConfig(process.env);
const logger = pino({ level: config.logLevel, base: { program: "agent" } });

const agent = await Agent.create(config, { clock: { now: () => Date.now() }, random: (bytes) => randomBytes(bytes), logger });
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
