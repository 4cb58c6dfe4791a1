/** Defines the operators' operations on the machines of the cluster. */

import { z } from "zod";
import { hostSummary } from "../../nouns/cluster/host.ts";
import { hostHardware } from "../../nouns/cluster/host-hardware.ts";
import { hostView } from "../../nouns/cluster/host-view.ts";
import { timestamp } from "../../nouns/project.ts";
import { memoryAmountMb } from "../../values/amounts.ts";
import { described } from "../described.ts";
import { operation } from "../operation.ts";
import { asOperator, asViewer, bodyErrors, oneHost } from "./operator-row.ts";
import { installScript } from "./install-script.ts";
import { sharedWords } from "../shared-words.ts";

const hostMemory = memoryAmountMb.min(1);
const memoryWords = {
  pt: "O máximo de memória da máquina que conta, em MB, diga ela o que disser.",
  en: "The most memory of the machine that counts, in MB, whatever it says.",
};

const joinToken = described(
  z.strictObject({ token: z.string(), expiresAt: timestamp, install: installScript.nullable() }),
  {
    token: { pt: "O convite; só aparece aqui.", en: "The join token; it appears only here." },
    expiresAt: { pt: "Até quando vale.", en: "Until when it works." },
    install: {
      pt: "O script que instala a máquina; null quando a central não o serve.",
      en: "The script that installs the machine; null where central does not serve it.",
    },
  },
);

export const hostOperations = {
  listHosts: operation({
    ...asViewer,
    path: "/cluster/hosts",
    summary: { pt: "Lista as máquinas", en: "Lists the machines" },
    text: { pt: "Todas as que não foram revogadas.", en: "All that were not revoked." },
    answer: {
      kind: "json",
      status: 200,
      schema: described(z.strictObject({ hosts: z.array(hostSummary) }), sharedWords),
    },
    errors: [],
  }),
  createJoinToken: operation({
    ...asOperator,
    method: "POST",
    path: "/cluster/hosts",
    summary: { pt: "Convida uma máquina", en: "Invites a machine" },
    text: {
      pt: "O convite vale 15 minutos e para uma máquina, que entra com ele.",
      en: "The join token works for 15 minutes and for one machine, which joins with it.",
    },
    body: {
      kind: "json",
      example: { memoryMb: 16_384 },
      schema: described(z.strictObject({ memoryMb: hostMemory.optional() }), { memoryMb: memoryWords }),
    },
    answer: { kind: "json", status: 201, schema: joinToken },
    errors: bodyErrors,
  }),
  getHost: operation({
    ...asViewer,
    path: "/cluster/hosts/{host}",
    summary: { pt: "Mostra uma máquina e seus projetos", en: "Shows a machine and its projects" },
    text: {
      pt: "A máquina é perguntada na hora; se não responde, vem só o que a central sabe.",
      en: "The machine is asked now; where it does not answer, this is only what central knows.",
    },
    params: oneHost,
    answer: { kind: "json", status: 200, schema: hostView },
    waitsForHosts: true,
    errors: ["not_found"],
  }),
  getHostHardware: operation({
    ...asViewer,
    path: "/cluster/hosts/{host}/hardware",
    summary: { pt: "Mostra o hardware de uma máquina", en: "Shows a machine's hardware" },
    text: {
      pt: "A máquina olha na hora, o que leva alguns segundos.",
      en: "The machine looks now, which takes some seconds.",
    },
    params: oneHost,
    answer: {
      kind: "json",
      status: 200,
      schema: described(z.strictObject({ hardware: hostHardware }), {
        hardware: { pt: "O hardware.", en: "The hardware." },
      }),
    },
    waitsForHosts: true,
    errors: ["not_found", "server_unavailable"],
  }),
  updateHost: operation({
    ...asOperator,
    method: "PATCH",
    path: "/cluster/hosts/{host}",
    summary: {
      pt: "Muda quanta memória de uma máquina conta",
      en: "Changes how much memory of a machine counts",
    },
    text: {
      pt: "Uma máquina que diz ter mais não recebe mais projetos por isso.",
      en: "A machine that says it has more gets no more projects for it.",
    },
    params: oneHost,
    body: {
      kind: "json",
      example: { memoryMb: 32_768 },
      schema: described(z.strictObject({ memoryMb: hostMemory }), { memoryMb: memoryWords }),
    },
    answer: {
      kind: "json",
      status: 200,
      schema: described(z.strictObject({ host: hostSummary }), {
        host: { pt: "A máquina.", en: "The machine." },
      }),
    },
    errors: [...bodyErrors, "not_found"],
  }),
  revokeHost: operation({
    ...asOperator,
    method: "POST",
    path: "/cluster/hosts/{host}/revoke",
    summary: { pt: "Revoga uma máquina", en: "Revokes a machine" },
    text: {
      pt: "A conexão é cortada na hora, e a máquina não volta. Os projetos dela deixam de ser alcançados.",
      en: "Its connection is cut at once, and the machine does not come back. Its projects are no longer reached.",
    },
    params: oneHost,
    answer: { kind: "empty", status: 204 },
    errors: ["not_found"],
  }),
};
