/** Runs the program: reads the environment, runs until a signal; HAProxy goes on when it ends. */

import { endOnSignals, privateUmask, reportToServiceManager, standardLog } from "@tijolo/protocol/kit";
import { pino } from "pino";
import { parseConfig } from "./config.ts";
import { run } from "./exec.ts";
import { GatewayProgram } from "./gateway-program.ts";

const notifyMs = 10_000;

process.umask(privateUmask);
const logger = pino({ base: { program: "gateway" } }, standardLog("gateway"));

const gateway = await start();
logger.info({ gatewayId: gateway.gatewayId }, "gateway serves");
await reportToServiceManager({
  environment: process.env,
  async run(argv, variables) {
    const { code, output } = await run(argv, { timeoutMs: notifyMs, variables });
    if (code !== 0) throw new Error(output);
  },
  logger,
});

endOnSignals(gateway, { name: "the gateway", logger, message: "gateway stops" });

/**
 * Starts the gateway. A reason that prevents the start is printed in its own words, line by line; the stack is
 * for the debug level.
 */
async function start(): Promise<GatewayProgram> {
  try {
    const config = parseConfig(process.env);
    logger.level = config.logLevel;
    return await GatewayProgram.create(config, { random: Math.random, logger });
  } catch (error) {
    logger.debug({ err: error }, "could not start");
    for (const line of (error instanceof Error ? error.message : String(error)).split("\n"))
      logger.fatal(line);
    process.exit(1);
  }
}
