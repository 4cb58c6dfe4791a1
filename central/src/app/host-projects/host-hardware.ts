/** Asks a host for its hardware. */

import { AppError, type HostHardware } from "@tijolo/protocol";
import { chooseOneHost } from "../hosts/choose-hosts.ts";
import type { HostLink } from "../hosts/host-link.ts";
import type { HostProjectsContext } from "./host-projects-context.ts";

/** Throws `not_found`, and `server_unavailable` while the host is away or cannot look. */
export async function getHostHardware(
  app: Pick<HostProjectsContext, "db">,
  link: Pick<HostLink, "ask">,
  wanted: string,
  signal: AbortSignal,
): Promise<HostHardware> {
  const { id } = await chooseOneHost(app, wanted);
  for await (const items of link.ask(id, { kind: "describe-hardware" }, signal)) {
    const [item] = items;
    if (item !== undefined) return item.hardware;
  }
  throw new AppError("server_unavailable");
}
