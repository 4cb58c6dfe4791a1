/** Defines the operators' operations on orphans: what machines have and central does not. */

import { orphanAdopted, orphanAdoption, orphanChoice, orphanList } from "../../nouns/cluster/orphan.ts";
import { hostReference } from "../../nouns/cluster/host-reference.ts";
import { z } from "zod";
import { operation } from "../operation.ts";
import { anyHost, asOperator, asViewer, bodyErrors, oneProjectOfAny } from "./operator-row.ts";
import { sharedWords } from "../shared-words.ts";
import { described } from "../described.ts";

export const orphanOperations = {
  listOrphans: operation({
    ...asViewer,
    path: "/cluster/orphans",
    summary: { pt: "Lista os órfãos", en: "Lists the orphans" },
    text: {
      pt: "Cada máquina é perguntada na hora: o que ela tem e a central, não, como depois de restaurar um banco antigo.",
      en: "Each machine is asked now: what it has and central does not, as after an older database was restored.",
    },
    query: anyHost,
    answer: { kind: "json", status: 200, schema: orphanList },
    waitsForHosts: true,
    errors: ["not_found"],
  }),
  adoptOrphan: operation({
    ...asOperator,
    method: "POST",
    path: "/cluster/orphans/{projectId}/adopt",
    summary: { pt: "Devolve um órfão à central", en: "Gives an orphan back to central" },
    text: {
      pt: "Como a máquina o conhece; ele continua rodando.",
      en: "As its machine knows it; it runs on.",
    },
    params: oneProjectOfAny,
    body: { kind: "json", example: { host: "host-1", isHostTrusted: false }, schema: orphanAdoption },
    answer: { kind: "json", status: 200, schema: orphanAdopted },
    waitsForHosts: true,
    errors: [...bodyErrors, "not_found", "project_busy", "variables_unavailable"],
  }),
  removeOrphan: operation({
    ...asOperator,
    method: "DELETE",
    path: "/cluster/orphans/{projectId}",
    summary: { pt: "Apaga um órfão", en: "Removes an orphan" },
    text: {
      pt: "A máquina o para e libera o disco: na hora, ou quando voltar.",
      en: "Its machine stops it and frees its disk: at once, or when it is back.",
    },
    params: oneProjectOfAny,
    query: orphanChoice,
    answer: {
      kind: "json",
      status: 200,
      schema: described(z.strictObject({ hosts: z.array(hostReference) }), sharedWords),
    },
    waitsForHosts: true,
    errors: ["not_found", "project_busy"],
  }),
};
