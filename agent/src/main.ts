/** Runs the program: reads the environment, runs until a signal; projects stay up when it ends. */

import { randomBytes } from "node:crypto";
import { endOnSignals, privateUmask, reportToServiceManager, standardLog } from "@tijolo/protocol/kit";
import { pino } from "pino";
import { Agent } from "./agent.ts";
import { parseConfig } from "./config.ts";
import { exec, hostEnvironment } from "./host/exec.ts";

process.umask(privateUmask);
const logger = pino({ base: { program: "agent" } }, standardLog("agent"));

const agent = await start();
logger.info({ hostId: agent.hostId }, "agent serves");
await reportToServiceManager({
  environment: process.env,
  run: (argv, variables) => exec(argv, { env: { ...hostEnvironment, ...variables } }),
  logger,
});

endOnSignals(agent, { name: "the agent", logger, message: "agent stops; its projects keep running" });

/**
 * Starts the agent. A reason that prevents the start is printed in its own words, line by line; the stack is
 * for the debug level.
 */
async function start(): Promise<Agent> {
  try {
    const config = parseConfig(process.env);
    logger.level = config.logLevel;
    return await Agent.create(config, {
      clock: { now: () => Date.now() },
      random: (bytes) => randomBytes(bytes),
      logger,
    });
  } catch (error) {
    logger.debug({ err: error }, "could not start");
    for (const line of (error instanceof Error ? error.message : String(error)).split("\n"))
      logger.fatal(line);
    process.exit(1);
  }
}
