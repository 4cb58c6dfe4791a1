/** Defines a host of the cluster in a list: what it has, and how much of it is reserved. */

import { z } from "zod";
import { component, described } from "../../contract/described.ts";
import { sharedWords } from "../../contract/shared-words.ts";
import { diskAmountMb, memoryAmountMb } from "../../values/amounts.ts";
import { id } from "../../values/id.ts";
import { shownText } from "../../values/plain-text.ts";
import { timestamp } from "../project.ts";

/** Describes the hardware of a machine, as its agent reports it. */
export const hostResources = described(
  z.object({
    cpuCount: z.int().min(1).max(65_536),
    memoryMb: memoryAmountMb.min(1),
    diskMb: diskAmountMb,
    diskFreeMb: diskAmountMb,
    operatingSystem: shownText(200),
    architecture: shownText(40),
  }),
  {
    cpuCount: { pt: "Núcleos.", en: "Cores." },
    memoryMb: { pt: "Memória, em MB.", en: "Memory, in MB." },
    diskMb: { pt: "Disco, em MB.", en: "Disk, in MB." },
    diskFreeMb: { pt: "Disco livre, em MB.", en: "Free disk, in MB." },
    operatingSystem: { pt: "Sistema operacional.", en: "Operating system." },
    architecture: { pt: "Arquitetura do processador.", en: "The processor's architecture." },
  },
);
export type HostResources = z.infer<typeof hostResources>;

/** What a machine is in the network of all machines. */
export const hostMesh = described(
  z.object({
    range: z.string(),
    state: z.enum(["member", "clash", "none"]),
    clashesWith: z.string().nullable(),
  }),
  {
    range: {
      pt: "A rede dos projetos da máquina: a que ela usa, senão a que o cluster lhe deu.",
      en: "The network of the machine's projects: the one it uses, else the one that the cluster gave it.",
    },
    state: {
      pt: "`member`: alcança as outras; `clash`: outra máquina já tem estes endereços; `none`: não participa, pois o agente é mais antigo ou a rede dele não é do cluster.",
      en: "`member`: it reaches the others; `clash`: another machine has these addresses already; `none`: it takes no part, as its agent is older or its network is not the cluster's.",
    },
    clashesWith: {
      pt: "O nome da máquina que já tem estes endereços.",
      en: "The name of the machine that has these addresses already.",
    },
  },
);

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
    mesh: hostMesh.nullable(),
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
      mesh: {
        pt: "A máquina na rede entre máquinas; null enquanto não tem endereços nela.",
        en: "The machine in the network between machines; null while it has no addresses in it.",
      },
      lastSeenAt: { pt: "Quando deu sinal pela última vez.", en: "When it was last heard from." },
    },
  },
);
export type HostSummary = z.infer<typeof hostSummary>;
