/** What a host says of itself when central asks: how it holds projects, and what each is held to. */

import { z } from "zod";
import { count } from "../values/amounts.ts";
import { id } from "../values/id.ts";
import { shownText } from "../values/plain-text.ts";
import { runLimits } from "../project/run-limits.ts";

/** How a host holds projects, as its agent says. */
export const hostMachine = z.object({
  /** `process`: plain processes of the agent's user, without isolation, for development. */
  runtime: z.enum(["nspawn", "process", "simulated"]),
  kernel: shownText(200),
  /** Null: memory, processor and processes have no limits. */
  cgroups: z.enum(["v1", "v2"]).nullable(),
  /**
   * What limits a project's disk: a project quota of the data directory's file system, an ext4 image of its
   * own, or nothing.
   */
  disks: z.enum(["xfs-quota", "ext4-quota", "image", "plain"]),
  /**
   * What the ceilings of the disks hold for: `all` reading and writing; `direct`, reading and what is written
   * past the page cache; nothing.
   */
  io: z.enum(["all", "direct", "none"]),
  /**
   * `filtered`: the system call filter refuses them to projects, which the agent has tried on this kernel
   * before it took any.
   */
  userNamespaces: z.enum(["filtered", "allowed"]),
});
export type HostMachine = z.infer<typeof hostMachine>;

/** What a host knows of one of its projects. */
export const hostProjectState = z.object({
  projectId: id,
  /** Of the run under way; null: nothing runs, or nothing limits it. */
  limits: runLimits.nullable(),
  /** Processes and threads that it has now; null where that is not counted. */
  pids: count.nullable(),
  /** Null: it has none, or it cannot be looked at. */
  disk: z
    .object({
      usedMb: count,
      /** Null: there is none, or it is set at the next start. */
      limitMb: count.nullable(),
      isReadOnly: z.boolean(),
    })
    .nullable(),
});
export type HostProjectState = z.infer<typeof hostProjectState>;

/** What a host answers when it is asked to describe itself: itself first, then its projects. */
export const hostStateItem = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("host-machine"), machine: hostMachine }),
  z.object({ kind: z.literal("host-project"), project: hostProjectState }),
]);
export type HostStateItem = z.infer<typeof hostStateItem>;
