/**
 * Defines a host as it describes itself when central asks, and as operators see it: its capacity and
 * reservations, how it holds the projects on it, and what each uses of its limits.
 */

import { z } from "zod";
import { component, described } from "../../contract/described.ts";
import { sharedWords } from "../../contract/shared-words.ts";
import { runLimits } from "../../project/run-limits.ts";
import { count } from "../../values/amounts.ts";
import { id } from "../../values/id.ts";
import { shownText } from "../../values/plain-text.ts";
import { hostSummary } from "./host.ts";
import { planName } from "../plan.ts";
import { projectErrorCode, projectStatus } from "../project.ts";

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

const hostProjectUsage = described(
  z.strictObject({ memoryMb: z.number(), cpuPercent: z.number(), pids: z.int().nullable() }),
  {
    memoryMb: { pt: "Memória em uso, em MB.", en: "Memory in use, in MB." },
    cpuPercent: { pt: "Processador em uso; 100 é um núcleo.", en: "Processor in use; 100 is one core." },
    pids: {
      pt: "Processos e threads; null onde não se contam.",
      en: "Processes and threads; null where they are not counted.",
    },
  },
);

/** A project placed on a host: as central knows it, and as the host does where it has answered. */
export const hostProject = component(
  "HostProject",
  z.strictObject({
    id,
    name: z.string(),
    account: described(z.strictObject({ id, name: z.string(), plan: planName }), {
      id: sharedWords.id,
      name: sharedWords.name,
      plan: { pt: "O plano.", en: "The plan." },
    }),
    status: projectStatus,
    errorCode: projectErrorCode.nullable(),
    reservedMemoryMb: z.int(),
    usage: hostProjectUsage.nullable(),
    limits: runLimits.nullable(),
    disk: hostProjectState.shape.disk,
    planDiskMb: z.int(),
  }),
  {
    text: { pt: "Um projeto que está numa máquina.", en: "A project that is placed on a machine." },
    fields: {
      id: sharedWords.id,
      name: sharedWords.name,
      account: sharedWords.account,
      status: { pt: "Estado atual.", en: "The current status." },
      errorCode: { pt: "O motivo do erro; senão null.", en: "The reason for an error; or else null." },
      reservedMemoryMb: {
        pt: "O que ocupa da memória da máquina, no ar ou não.",
        en: "What it holds of the machine's memory, running or not.",
      },
      usage: {
        pt: "O que usa agora; null: não está no ar, ou a máquina não respondeu.",
        en: "What it uses now; null: it does not run, or the machine did not answer.",
      },
      limits: {
        pt: "Os limites, como o kernel os tem; null: não está no ar, ou nada o limita.",
        en: "Its limits as the kernel has them; null: it does not run, or nothing limits it.",
      },
      disk: {
        pt: "O disco; null: não tem, ou não se pode olhar.",
        en: "The disk; null: it has none, or it cannot be looked at.",
      },
      planDiskMb: { pt: "O disco que o plano lhe dá, em MB.", en: "The disk that the plan gives it, in MB." },
    },
  },
);
export type HostProject = z.infer<typeof hostProject>;

export const hostView = component(
  "HostView",
  z.strictObject({
    host: hostSummary,
    memory: described(z.strictObject({ keptBackMb: z.int(), freeMb: z.int() }), {
      keptBackMb: {
        pt: "O que a máquina guarda para si, em MB.",
        en: "What the machine keeps for itself, in MB.",
      },
      freeMb: {
        pt: "O que resta para outros projetos, em MB; abaixo de zero se ela perdeu memória.",
        en: "What is left for other projects, in MB; below zero where it has lost memory.",
      },
    }).nullable(),
    promisedDiskMb: z.int(),
    usage: described(
      z.strictObject({ memoryUsedMb: z.number(), cpuPercent: z.number(), diskFreeMb: z.number() }),
      {
        memoryUsedMb: { pt: "Memória em uso, em MB.", en: "Memory in use, in MB." },
        cpuPercent: { pt: "Processador em uso, em %.", en: "Processor in use, in %." },
        diskFreeMb: { pt: "Disco livre, em MB.", en: "Free disk, in MB." },
      },
    ).nullable(),
    /** State of the host's answer. `older_agent`: it is connected, but does not know such a request yet. */
    answer: z.enum(["complete", "away", "older_agent"]),
    machine: hostMachine.nullable(),
    projects: z.array(hostProject),
  }),
  {
    text: {
      pt: "Uma máquina, com o que ela mesma diz dos limites dos seus projetos.",
      en: "A machine, with what it says itself of the limits of its projects.",
    },
    fields: {
      projects: sharedWords.projects,
      host: { pt: "A máquina.", en: "The machine." },
      memory: {
        pt: "Memória para outros projetos; null antes da primeira conexão.",
        en: "Memory for further projects; null before its first connection.",
      },
      promisedDiskMb: {
        pt: "O que os discos dos projetos podem ocupar juntos, em MB; pode ser mais do que a máquina tem.",
        en: "What the disks of its projects may take together, in MB; it may be more than the machine has.",
      },
      usage: {
        pt: "O uso da máquina inteira; null: ainda não há, ou ela está sem sinal.",
        en: "The usage of the whole machine; null: there is none yet, or it is silent.",
      },
      answer: {
        pt: "`complete`: a máquina respondeu; `away`: não respondeu; `older_agent`: o agente não conhece o pedido.",
        en: "`complete`: the machine answered; `away`: it did not; `older_agent`: its agent does not know the request.",
      },
      machine: {
        pt: "Como a máquina segura os projetos; null sem resposta dela.",
        en: "How the machine holds its projects; null without its answer.",
      },
    },
  },
);
export type HostView = z.infer<typeof hostView>;
