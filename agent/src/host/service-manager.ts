/**
 * Tells systemd that the agent is ready, and that it is alive: an agent whose event loop hangs is ended and
 * started again (sd_notify(3)). Node has no sockets of that kind, so systemd's own command sends it.
 */

import { exec, hostEnvironment } from "./exec.ts";

interface NotifyLogger {
  warn(fields: object, message: string): void;
}

/** Does nothing where the agent is no service of systemd. Never rejects. */
export async function reportToServiceManager(
  environment: Readonly<Record<string, string | undefined>>,
  logger: NotifyLogger,
): Promise<void> {
  const { NOTIFY_SOCKET, WATCHDOG_USEC } = environment;
  if (NOTIFY_SOCKET === undefined) return;
  const send = (state: string) =>
    exec(["systemd-notify", state], { env: { ...hostEnvironment, NOTIFY_SOCKET } }).then(
      () => {},
      (error: unknown) => logger.warn({ err: error }, "systemd was not told of the agent's state"),
    );
  await send("READY=1");
  const watchdogMs = Number(WATCHDOG_USEC) / 1000;
  if (watchdogMs > 0) setInterval(() => void send("WATCHDOG=1"), watchdogMs / 3).unref();
}
