/** Finds the hosts that an operator names. */

import { AppError } from "@tijolo/protocol";
import { refusalDetails } from "@tijolo/protocol/texts/central";
import { listHosts, type HostWithLoad } from "../../store/tables/hosts/host.ts";
import type { HostsContext } from "./hosts-context.ts";

/** Returns the host with this id or, if there is none, with this name. Throws `not_found`. */
export async function chooseOneHost(app: Pick<HostsContext, "db">, wanted: string): Promise<HostWithLoad> {
  const [first, ...others] = await chooseHosts(app, wanted);
  if (first === undefined) throw new AppError("not_found");
  return others.find(({ id }) => id === wanted.toUpperCase()) ?? first;
}

/** Finds hosts by id or name; every host that is not revoked where none is named. Throws `not_found`. */
export async function chooseHosts(
  app: Pick<HostsContext, "db">,
  wanted: string | undefined,
): Promise<HostWithLoad[]> {
  const hosts = await listHosts(app.db);
  if (wanted === undefined) return hosts;
  const chosen = hosts.filter(({ id, name }) => id === wanted.toUpperCase() || name === wanted.toLowerCase());
  if (chosen.length > 0) return chosen;
  throw new AppError("not_found", {
    detail: refusalDetails.noSuchHost(wanted),
  });
}
