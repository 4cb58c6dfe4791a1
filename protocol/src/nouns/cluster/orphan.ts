/**
 * Defines orphans: projects that a host holds and central does not have there, and what was restored after
 * central's database was set back.
 */

import { z } from "zod";
import { component, described } from "../../contract/described.ts";
import { id } from "../../values/id.ts";
import { hostReference } from "./host-reference.ts";
import { timestamp } from "../project.ts";
import { sharedWords } from "../../contract/shared-words.ts";

/**
 * Reason why central, which has an older state of a project on the same host, did not take the host's newer
 * one over: `unanswered`: the host did not send it; `unproven`: it does not carry central's signature;
 * `variables_unavailable`: central has no master key; `failed`: central's log has more.
 */
const heldBackReason = z.enum(["unanswered", "unproven", "variables_unavailable", "failed"]);
export type HeldBackReason = z.infer<typeof heldBackReason>;

export const orphan = component(
  "Orphan",
  z.strictObject({
    id,
    name: z.string().nullable(),
    account: described(z.strictObject({ id, name: z.string().nullable() }), {
      id: sharedWords.id,
      name: {
        pt: "O nome; null: a central não tem a conta.",
        en: "Its name; null: central does not have the account.",
      },
    }).nullable(),
    versionNumber: z.int().nullable(),
    isRunning: z.boolean(),
    diskUsedMb: z.number().nullable(),
    unwantedSince: z.string().nullable(),
    hasArchive: z.boolean(),
    isProven: z.boolean(),
    placedOn: hostReference.nullable(),
    heldBack: heldBackReason.nullable(),
  }),
  {
    text: {
      pt: "Um projeto que uma máquina tem e a central, não. Sem nome, conta e versão, a máquina só tem os arquivos dele.",
      en: "A project that a machine has and central does not. Without name, account and version the machine has only its files.",
    },
    fields: {
      id: sharedWords.id,
      name: sharedWords.name,
      account: { pt: "A conta dele.", en: "Its account." },
      versionNumber: { pt: "A versão do envio.", en: "The version of the upload." },
      isRunning: { pt: "Se está no ar.", en: "Whether it runs." },
      diskUsedMb: { pt: "Disco em uso, em MB.", en: "Disk in use, in MB." },
      unwantedSince: {
        pt: "Desde quando a central não o nomeia à máquina.",
        en: "Since when central has not named it to its machine.",
      },
      hasArchive: {
        pt: "Se a central tem o .zip da versão; sem ele, roda, mas só se instala de novo com outro envio.",
        en: "Whether central has the .zip of its version; without it, it runs on but is installed anew only with another upload.",
      },
      isProven: {
        pt: "Se o que a máquina diz dele tem a assinatura da central.",
        en: "Whether what the machine says of it carries central's signature.",
      },
      placedOn: { pt: "Onde a central o tem, em vez disso.", en: "Where central has the project instead." },
      heldBack: {
        pt: "A central o tem nesta máquina, mas em um estado mais antigo: por que não aceitou o da máquina; null: não o tem nela.",
        en: "Central has it on this host, but in an older state: why it did not take the host's state over; null: central does not have it there.",
      },
    },
  },
);
export type Orphan = z.infer<typeof orphan>;

const hostOrphans = described(
  z.strictObject({ host: hostReference, isReached: z.boolean(), orphans: z.array(orphan) }),
  {
    host: { pt: "A máquina.", en: "The machine." },
    isReached: {
      pt: "Falso: está sem sinal, ou o agente é antigo demais para dizer.",
      en: "False: it is silent, or its agent is too old to tell.",
    },
    orphans: { pt: "Os órfãos que ela tem.", en: "The orphans that it has." },
  },
);
export type HostOrphans = z.infer<typeof hostOrphans>;

const restoredProject = described(
  z.strictObject({
    project: described(z.strictObject({ id, name: z.string() }), sharedWords),
    account: described(z.strictObject({ id }), sharedWords),
    at: timestamp,
    note: z.enum(["adopted", "installed_anew", "taken_over"]),
  }),
  {
    project: sharedWords.project,
    account: sharedWords.account,
    at: sharedWords.at,
    note: {
      pt: "`adopted`: por um operador; `taken_over`: da máquina; `installed_anew`: a máquina não tinha nada dele, o disco está vazio.",
      en: "`adopted`: by an operator; `taken_over`: from its host; `installed_anew`: its host had nothing of it, so its disk is empty.",
    },
  },
);
export type RestoredProject = z.infer<typeof restoredProject>;

export const orphanList = component(
  "OrphanList",
  z.strictObject({ hosts: z.array(hostOrphans), restored: z.array(restoredProject) }),
  {
    text: { pt: "Os órfãos do cluster.", en: "The cluster's orphans." },
    fields: {
      hosts: sharedWords.hosts,
      restored: { pt: "O que foi devolvido na última semana.", en: "What was put back in the last week." },
    },
  },
);
export type OrphanList = z.infer<typeof orphanList>;

const hostChoice = z.string().trim().min(1).max(100).optional();
const hostWords = {
  pt: "A máquina, por id ou nome; precisa ser dita quando mais de uma o tem.",
  en: "The machine, by id or name; it must be named where more than one has the project.",
};

export const orphanChoice = described(z.strictObject({ host: hostChoice }), { host: hostWords });

export const orphanAdoption = described(
  z.strictObject({ host: hostChoice, accountId: id.optional(), isHostTrusted: z.boolean().default(false) }),
  {
    host: hostWords,
    accountId: {
      pt: "A conta que fica com ele, no lugar da sua, que a central pode não ter.",
      en: "The account that gets it, in place of its own, which central may not have.",
    },
    isHostTrusted: {
      pt: "Aceita o que a máquina diz sem a assinatura da central.",
      en: "Accepts what the machine says without central's signature.",
    },
  },
);
export type OrphanAdoption = z.output<typeof orphanAdoption>;

export const orphanAdopted = described(
  z.strictObject({
    project: described(
      z.strictObject({ id, name: z.string(), subdomain: z.string().nullable(), versionNumber: z.int() }),
      {
        id: sharedWords.id,
        name: sharedWords.name,
        subdomain: {
          pt: "Só sites: o nome no domínio dos sites.",
          en: "Sites only: the name under the site domain.",
        },
        versionNumber: { pt: "A versão do envio.", en: "The version of the upload." },
      },
    ),
    host: hostReference,
    hasArchive: z.boolean(),
    hasVariables: z.boolean(),
  }),
  {
    project: sharedWords.project,
    host: { pt: "A máquina em que está.", en: "The machine that it is on." },
    hasArchive: {
      pt: "Se a central tem o .zip da versão.",
      en: "Whether central has the .zip of its version.",
    },
    hasVariables: {
      pt: "Se as variáveis vieram também; falso onde a máquina não as tinha.",
      en: "Whether its variables came too; false where the host did not have them.",
    },
  },
);
export type OrphanAdopted = z.infer<typeof orphanAdopted>;
