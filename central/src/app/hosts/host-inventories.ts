/**
 * Records which archives hosts have projects with, as each reported since central's start: an archive that
 * central's database does not name may be an orphan's.
 */

import type { HeldOutline } from "@tijolo/protocol";
import { listHosts } from "../../store/tables/hosts/host.ts";
import { isRestoredLately } from "../cluster/restored.ts";
import type { BaseContext } from "../base-context.ts";

/** Milliseconds of silence after which a host is not waited for. */
const waitedForMs = 30 * 24 * 60 * 60 * 1000;

export class HostInventories {
  readonly #archives = new Map<string, ReadonlySet<string>>();

  note(hostId: string, projects: readonly HeldOutline[]): void {
    this.#archives.set(hostId, new Set(projects.flatMap(({ wanted }) => wanted?.sha256 ?? [])));
  }

  /**
   * True when an archive that neither central nor {@link hasArchive} names is certainly no orphan's. After a
   * restore, central may not know all hosts.
   */
  async mayCollect(app: Pick<BaseContext, "db" | "clock">): Promise<boolean> {
    return !(await isRestoredLately(app)) && (await this.areComplete(app));
  }

  /** True once every host that counts has reported. */
  async areComplete({ db, clock }: Pick<BaseContext, "db" | "clock">): Promise<boolean> {
    const since = clock.now() - waitedForMs;
    return (await listHosts(db)).every(
      ({ id, lastSeenAt }) => (lastSeenAt ?? 0) < since || this.#archives.has(id),
    );
  }

  hasArchive(sha256: string): boolean {
    return [...this.#archives.values()].some((archives) => archives.has(sha256));
  }
}
