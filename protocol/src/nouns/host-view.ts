/**
 * Defines a host as operators see it: its capacity and reservations, how it holds the projects on it, and
 * what each uses of its limits.
 */

import { z } from "zod";
import { component, described } from "../contract/described.ts";
import { hostMachine, hostProjectState } from "../link/host-state.ts";
import { hostResources } from "../link/link-messages.ts";
import { runLimits } from "../project/run-limits.ts";
import { id } from "../values/id.ts";
import { planName } from "./plan.ts";
import { projectErrorCode, projectStatus, timestamp } from "./project.ts";
import { sharedWords } from "../contract/shared-words.ts";

export const hostSummary = component(
  "Host",
  z.strictObject({
    id,
    name: z.string(),
    state: z.enum(["connected", "unknown", "never_connected"]),
    resources: hostResources.nullable(),
    countedMemoryMb: z.int().nullable(),
    agentVersion: z.string().nullable(),
    reservedMemoryMb: z.int(),
    projects: z.int(),
    lastSeenAt: timestamp.nullable(),
    createdAt: timestamp,
  }),
  {
    text: { pt: "Uma máquina do cluster.", en: "A machine of the cluster." },
    fields: {
      id: sharedWords.id,
      name: sharedWords.name,
      createdAt: sharedWords.createdAt,
      state: {
        pt: "`connected`: conectada; `unknown`: sem sinal; `never_connected`: ainda não veio.",
        en: "`connected`: it is connected; `unknown`: it is silent; `never_connected`: it has not come yet.",
      },
      resources: {
        pt: "O que a máquina diz de si; null antes da primeira conexão.",
        en: "What the machine says of itself; null before its first connection.",
      },
      countedMemoryMb: {
        pt: "A memória pela qual se distribuem projetos: o que a máquina diz, até o que um operador, ou ela mesma ao entrar, disse.",
        en: "The memory that projects are placed by: what the machine says, up to what an operator, or itself when it joined, said.",
      },
      agentVersion: { pt: "A versão do agente.", en: "The agent's version." },
      reservedMemoryMb: {
        pt: "Memória reservada a projetos, em MB.",
        en: "Memory reserved by projects, in MB.",
      },
      projects: { pt: "Quantos projetos estão nela.", en: "How many projects are placed on it." },
      lastSeenAt: { pt: "Quando deu sinal pela última vez.", en: "When it was last heard from." },
    },
  },
);
export type HostSummary = z.infer<typeof hostSummary>;

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
