/** Runs the program: configuration from the environment, then runs until a signal. */

import { endOnSignals, inheritedSockets, privateUmask, standardLog } from "@tijolo/protocol/kit";
import { pino } from "pino";
import { systemClock } from "./app/clock.ts";
import { Central } from "./central.ts";
import { parseConfig, secretVariables } from "./config.ts";
import { createRandomSource } from "./random-source.ts";

process.umask(privateUmask);
const logger = pino({ base: { program: "central" } }, standardLog("central"));

const central = await start();
endOnSignals(central, { name: "central", logger, message: "central stops" });
await central.writeStartLink();
logger.info(
  { api: central.url, gateway: central.pagesUrl, panel: central.panelUrl, epoch: central.epoch },
  "central serves",
);

/**
 * Starts central. A reason that prevents the start is printed in its own words, line by line; the stack is
 * for the debug level.
 */
async function start(): Promise<Central> {
  try {
    const config = parseConfig(process.env, inheritedSockets(process.env, process.pid));
    logger.level = config.logLevel;
    for (const variable of secretVariables) delete process.env[variable];
    return await Central.create(config, { clock: systemClock, random: createRandomSource(), logger });
  } catch (error) {
    logger.debug({ err: error }, "could not start");
    for (const line of (error instanceof Error ? error.message : String(error)).split("\n"))
      logger.fatal(line);
    process.exit(1);
  }
}
