/** Texts of `tijolo cluster master-key`. */

import type { MasterKeySource } from "@tijolo/protocol";

const pt = {
  commands: {
    "cluster master-key status": "Mostra as chaves mestras, que guardam as variáveis, pelo nome",
    "cluster master-key rotate": "Troca a chave mestra e guarda tudo de novo com a nova, sem parar nada",
    "cluster master-key forget-variables":
      "Esquece as variáveis de um projeto cuja chave se perdeu para sempre",
  },
  options: {},
  texts: {
    from: {
      credentials: "As chaves vêm das credenciais do systemd.",
      environment: "As chaves vêm de TIJOLO_MASTER_KEYS.",
      file: "As chaves vêm de TIJOLO_MASTER_KEY_FILE.",
      own: "As chaves estão no arquivo do próprio central (master-keys na pasta de dados).",
    } satisfies Record<MasterKeySource, string>,
    fields: { documents: "Documentos", state: "Estado" },
    states: { current: "atual", known: "ainda abre", lost: "sumiu" },
    none: "O central não tem chave mestra: o arquivo sumiu. Devolva-o, como estava, e reinicie o central.",
    lost: "Há documentos de uma chave que sumiu: ninguém os abre. Devolva a chave e reinicie o central.",
    sureToForget: (id: string) =>
      `Esquecer todas as variáveis do projeto ${id}? Nem a chave, se reaparecer, as traz de volta.`,
    wouldForget: (id: string) =>
      `Isto esqueceria todas as variáveis do projeto ${id}, para sempre. Confirme com --yes.`,
    forgotten: (name: string) =>
      `As variáveis de ${name} foram esquecidas. O dono as define de novo, antes de reiniciar.`,
    runsOn: "O que roda continua com as de antes até o próximo início; depois dele, sem nenhuma.",
    rotated: (id: string, documents: number) =>
      `A chave mestra agora é ${id}. Documentos guardados de novo: ${documents}.`,
    unreadable: (documents: number) => `Documentos que não abriram e ficaram como estavam: ${documents}.`,
    removable: (ids: string) => `Nada mais usa estas chaves; tire-as de onde você as guarda: ${ids}`,
    addFirst:
      "Para trocar de novo, ponha uma chave nova na primeira linha, reinicie o central e repita este comando.",
  },
};

const en: typeof pt = {
  commands: {
    "cluster master-key status": "Shows the master keys, which seal the variables, by name",
    "cluster master-key rotate": "Exchanges the master key and seals everything anew, without a stop",
    "cluster master-key forget-variables": "Forgets the variables of a project whose key is lost for good",
  },
  options: {},
  texts: {
    from: {
      credentials: "The keys come from systemd's credentials.",
      environment: "The keys come from TIJOLO_MASTER_KEYS.",
      file: "The keys come from TIJOLO_MASTER_KEY_FILE.",
      own: "The keys are in central's own file (master-keys in its data directory).",
    },
    fields: { documents: "Documents", state: "State" },
    states: { current: "current", known: "still opens", lost: "lost" },
    none: "Central has no master key: the file is gone. Put it back as it was, and restart central.",
    lost: "There are documents of a key that is gone: nobody can open them. Put the key back and restart central.",
    sureToForget: (id) =>
      `Forget all variables of project ${id}? Not even the key, should it turn up, brings them back.`,
    wouldForget: (id) => `This would forget all variables of project ${id}, for good. Confirm with --yes.`,
    forgotten: (name) =>
      `The variables of ${name} are forgotten. Its owner sets them anew, before a restart.`,
    runsOn: "What runs goes on with those of before until its next start; after it, without any.",
    rotated: (id, documents) => `The master key is now ${id}. Documents sealed anew: ${documents}.`,
    unreadable: (documents) => `Documents that did not open and stayed as they are: ${documents}.`,
    removable: (ids) => `Nothing uses these keys any more; remove them from where you keep them: ${ids}`,
    addFirst: "To rotate again, put a new key on the first line, restart central and repeat this command.",
  },
};

export const masterKey = { pt, en };
