/**
 * Tells systemd that a program is ready, and that it is alive: one whose event loop hangs is ended and started
 * again (sd_notify(3)). Node has no sockets of that kind, so systemd's own command sends it.
 */

interface NotifyLogger {
  warn(fields: object, message: string): void;
}

export interface ServiceManagerOptions {
  environment: Readonly<Record<string, string | undefined>>;
  /** Runs a program with these variables beside its usual ones. Rejects when it fails. */
  run: (argv: string[], variables: Record<string, string>) => Promise<unknown>;
  logger: NotifyLogger;
}

/** Does nothing where the program is no service of systemd. Never rejects. */
export async function reportToServiceManager({
  environment,
  run,
  logger,
}: ServiceManagerOptions): Promise<void> {
  const { NOTIFY_SOCKET, WATCHDOG_USEC } = environment;
  if (NOTIFY_SOCKET === undefined) return;
  const send = (state: string) =>
    run(["systemd-notify", state], { NOTIFY_SOCKET }).then(
      () => {},
      (error: unknown) => logger.warn({ err: error }, "systemd was not told of the program's state"),
    );
  await send("READY=1");
  const watchdogMs = Number(WATCHDOG_USEC) / 1000;
  if (watchdogMs > 0) setInterval(() => void send("WATCHDOG=1"), watchdogMs / 3).unref();
}
