/** The program: configuration from the environment, then runs until a signal. */

import { standardLog } from "@tijolo/protocol/node";
import { pino } from "pino";
import { Central } from "./central.ts";
import { parseConfig } from "./config.ts";
import { createRandomSource } from "./random-source.ts";

const logger = pino({ level: process.env["TIJOLO_LOG_LEVEL"] ?? "info", base: { program: "central" } }, standardLog("central"));

const central = await start();
logger.info({ api: central.url, gateway: central.gatewayUrl, epoch: central.epoch }, "central serves");

let isClosing = false;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    if (isClosing) return;
    isClosing = true;
    logger.info({ signal }, "central stops");
    void central[Symbol.asyncDispose]().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, "central did not stop cleanly");
        process.exit(1);
      },
    );
  });
}

/** What keeps it from starting is said in its own words, line by line; the stack is for the debug level. */
async function start(): Promise<Central> {
  try {
    const config = parseConfig(process.env);
    delete process.env["TIJOLO_MASTER_KEYS"]; // not for diagnostic reports, nor for children
    return await Central.create(config, { clock: { now: () => Date.now() }, random: createRandomSource(), logger });
  } catch (error) {
    logger.debug({ err: error }, "could not start");
    for (const line of (error instanceof Error ? error.message : String(error)).split("\n")) logger.fatal(line);
    process.exit(1);
  }
}
