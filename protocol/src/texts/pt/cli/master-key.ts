/** Holds the texts of `tijolo cluster master-key`. */

import type { MasterKeySource } from "../../../nouns/cluster/master-key.ts";

export const masterKey = {
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
