/** Defines how a host describes itself when central asks: how it holds projects, and the limits of each. */

import { z } from "zod";
import { described } from "../contract/described.ts";
import { count } from "../values/amounts.ts";
import { id } from "../values/id.ts";
import { shownText } from "../values/plain-text.ts";
import { runLimits } from "../project/run-limits.ts";

/** Describes how a host holds projects, as its agent reports. */
export const hostMachine = described(
  z.object({
    /** Runtime. `process`: plain processes of the agent's user, without isolation, for development. */
    runtime: z.enum(["nspawn", "process", "simulated"]),
    kernel: shownText(200),
    cgroups: z.enum(["v1", "v2"]).nullable(),
    /**
     * Mechanism that limits a project's disk: a project quota of the data directory's file system, an ext4
     * image of its own, or nothing.
     */
    disks: z.enum(["xfs-quota", "ext4-quota", "image", "plain"]),
    /**
     * Scope of the ceilings of the disks: `all`, reading and writing; `direct`, reading and what is written
     * past the page cache; `none`, nothing.
     */
    io: z.enum(["all", "direct", "none"]),
    /**
     * `filtered`: the system call filter refuses them to projects, which the agent has tested on this kernel
     * before it accepted any.
     */
    userNamespaces: z.enum(["filtered", "allowed"]),
  }),
  {
    runtime: {
      pt: "`nspawn`: contêineres; `process`: processos comuns, sem isolamento; `simulated`: simulada.",
      en: "`nspawn`: containers; `process`: plain processes without isolation; `simulated`: simulated.",
    },
    kernel: { pt: "O kernel.", en: "The kernel." },
    cgroups: {
      pt: "Versão dos cgroups; null: memória, processador e processos não têm limite.",
      en: "The version of cgroups; null: memory, processor and processes have no limits.",
    },
    disks: { pt: "O que limita o disco de cada projeto.", en: "What limits the disk of each project." },
    io: {
      pt: "Para o que valem os tetos de disco: `all`, leitura e gravação; `direct`, leitura e gravação direta; `none`, nada.",
      en: "What the ceilings of the disks hold for: `all`, reading and writing; `direct`, reading and direct writing; `none`, nothing.",
    },
    userNamespaces: {
      pt: "`filtered`: o filtro de chamadas os recusa a projetos.",
      en: "`filtered`: the system call filter refuses them to projects.",
    },
  },
);
export type HostMachine = z.infer<typeof hostMachine>;

/** Facts that a host knows about one of its projects. */
export const hostProjectState = z.object({
  projectId: id,
  /** Limits of the current run; null when nothing runs, or nothing limits it. */
  limits: runLimits.nullable(),
  /** Number of processes and threads now; null where they are not counted. */
  pids: count.nullable(),
  /** Disk; null: there is none, or it cannot be read. */
  disk: described(
    z.object({
      usedMb: count,
      limitMb: count.nullable(),
      isReadOnly: z.boolean(),
    }),
    {
      usedMb: { pt: "Em uso, em MB.", en: "Used, in MB." },
      limitMb: {
        pt: "Limite, em MB; null: não há, ou é posto no próximo início.",
        en: "Limit, in MB; null: there is none, or it is set at the next start.",
      },
      isReadOnly: { pt: "Se só se pode ler.", en: "Whether it can only be read." },
    },
  ).nullable(),
});
export type HostProjectState = z.infer<typeof hostProjectState>;

/** Items in which a host describes itself: first the machine, then its projects. */
export const hostStateItem = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("host-machine"), machine: hostMachine }),
  z.object({ kind: z.literal("host-project"), project: hostProjectState }),
]);
export type HostStateItem = z.infer<typeof hostStateItem>;
