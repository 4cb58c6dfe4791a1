/** Remembers in the ledger who this host is in its cluster. */

import type { Database } from "better-sqlite3";

export interface HostFacts {
  /** Returns the highest epoch of central seen; 0 before the first connection. */
  epoch(): number;
  setEpoch(epoch: number): void;
  /** Returns the host's id; undefined until the host has joined a cluster. */
  hostId(): string | undefined;
  /** `runtime` is the runtime that the host joined with. */
  setHostId(hostId: string, runtime?: string): void;
  /** Returns the runtime that the host joined with; undefined until then. */
  runtime(): string | undefined;
}

export function hostFacts(file: Database): HostFacts {
  const read = file.prepare<[], { host_id: string | null; epoch: number; runtime: string | null }>(
    "SELECT host_id, epoch, runtime FROM host",
  );
  const writeEpoch = file.prepare("UPDATE host SET epoch = ?");
  const writeHostId = file.prepare("UPDATE host SET host_id = ?, runtime = ?");
  return {
    epoch: () => read.get()?.epoch ?? 0,
    setEpoch: (epoch) => void writeEpoch.run(epoch),
    hostId: () => read.get()?.host_id ?? undefined,
    setHostId: (hostId, runtime = "nspawn") => void writeHostId.run(hostId, runtime),
    runtime: () => read.get()?.runtime ?? undefined,
  };
}
