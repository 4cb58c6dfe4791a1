/** The program: configuration from the environment, then runs until a signal. */

import { randomBytes } from "node:crypto";
import { pino } from "pino";
import { Central } from "./central.ts";
import { parseConfig } from "./config.ts";

const config = parseConfig(process.env);
const logger = pino({ level: config.logLevel, base: { program: "central" } });

const central = await Central.create(config, { clock: { now: () => Date.now() }, random: (bytes) => randomBytes(bytes), logger });
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
