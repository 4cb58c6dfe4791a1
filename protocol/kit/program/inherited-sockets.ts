/** Finds the listening sockets that systemd holds for a program (sd_listen_fds(3)). */

const firstDescriptor = 3;

/**
 * Returns the descriptors by the names of their units, for the process that they are meant for. While the
 * program restarts, systemd keeps the sockets and connections wait in them.
 */
export function inheritedSockets(
  environment: Readonly<Record<string, string | undefined>>,
  pid: number,
): ReadonlyMap<string, number> {
  const { LISTEN_PID, LISTEN_FDS, LISTEN_FDNAMES = "" } = environment;
  if (LISTEN_PID !== String(pid) || LISTEN_FDS === undefined || !/^\d{1,2}$/.test(LISTEN_FDS))
    return new Map();
  const names = LISTEN_FDNAMES.split(":").slice(0, Number(LISTEN_FDS));
  return new Map(names.map((name, index) => [name, firstDescriptor + index]));
}
