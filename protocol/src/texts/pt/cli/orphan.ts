/** Holds the texts of `tijolo cluster orphan …`. */

import type { HeldBackReason, RestoredProject } from "../../../nouns/cluster/orphan.ts";

export const orphan = {
  commands: {
    "cluster orphan list":
      "Lista o que as máquinas têm e a central não, como depois de restaurar um banco antigo",
    "cluster orphan adopt": "Devolve um órfão à central, como a máquina o conhece; ele continua rodando",
    "cluster orphan remove": "Apaga um órfão da máquina, com todos os arquivos",
  },
  options: {
    orphanHost: "só esta máquina (id ou nome)",
    orphanAccount: "a conta que fica com ele, se a central não tem a dele",
    trustHost: "aceita o que a máquina diz sem a assinatura da central",
  },
  texts: {
    none: "Nenhum órfão.",
    hostLost: (host: string) =>
      `${host}: não respondeu; pode ter órfãos. Veja se o agente roda e alcança a central.`,
    fields: {
      project: "Projeto",
      account: "Conta",
      host: "Máquina",
      version: "Versão",
      state: "Estado",
      disk: "Disco (MB)",
      since: "Desde",
    },
    running: "rodando",
    stopped: "parado",
    noAccount: "a central não a tem",
    notes: {
      filesOnly: "só arquivos: não pode ser adotado",
      noArchive: "a central não tem o .zip",
      unproven: "sem assinatura da central",
      placedOn: (host: string) => `a central o tem em ${host}`,
      heldBack: {
        unanswered: "a central o tem em um estado mais antigo; a máquina não mandou o dela",
        unproven: "a central o tem em um estado mais antigo",
        variables_unavailable:
          "a central o tem em um estado mais antigo; para as variáveis falta a chave mestra",
        failed:
          "a central o tem em um estado mais antigo, e não pôde ficar com o da máquina: veja o log da central",
      } satisfies Record<HeldBackReason, string>,
    },
    advice:
      "Um órfão fica como está até você decidir: tijolo cluster orphan adopt <id> ou tijolo cluster orphan remove <id>.",
    restored: "Recuperados nos últimos 7 dias:",
    restoredAs: {
      adopted: "adotado",
      taken_over: "a máquina tinha um estado mais novo, e ele vale",
      installed_anew: "a máquina não tinha mais nada dele: instalado de novo, com o disco vazio",
    } satisfies Record<RestoredProject["note"], string>,
    sureToAdopt: (id: string) => `Devolver ${id} à central, como a máquina o conhece?`,
    wouldAdopt: (id: string) =>
      `Isto devolveria ${id} à central, como a máquina o conhece. Confirme com --yes.`,
    adopted: (name: string, version: number, host: string) =>
      `${name} (versão ${version}) voltou; está em ${host}.`,
    noArchive:
      "A central não tem o .zip desta versão: o projeto roda, mas só pode ser instalado de novo quando o dono enviar código.",
    noVariables: "A máquina não tinha as variáveis deste projeto: o dono as define de novo.",
    sureToRemove: (id: string) => `Apagar o órfão ${id} para sempre, com todos os arquivos?`,
    wouldRemove: (id: string) =>
      `Isto apagaria o órfão ${id} para sempre, com todos os arquivos. Confirme com --yes.`,
    removed: (id: string, hosts: string) => `${id} é apagado de ${hosts}: agora, ou quando a máquina voltar.`,
  },
};
