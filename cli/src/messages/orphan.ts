/** Texts of `tijolo cluster orphan …`. */

import type { HeldBackReason, RestoredProject } from "@tijolo/protocol";

const pt = {
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

const en: typeof pt = {
  commands: {
    "cluster orphan list":
      "Lists what machines have and central does not, as after an older database was restored",
    "cluster orphan adopt": "Gives an orphan back to central, as its machine knows it; it runs on",
    "cluster orphan remove": "Deletes an orphan from its machine, with all its files",
  },
  options: {
    orphanHost: "this machine alone (id or name)",
    orphanAccount: "the account that gets it, where central does not have its own",
    trustHost: "takes what the machine says without central's signature",
  },
  texts: {
    none: "No orphans.",
    hostLost: (host) =>
      `${host}: no answer; it may have orphans. See whether its agent runs and reaches central.`,
    fields: {
      project: "Project",
      account: "Account",
      host: "Machine",
      version: "Version",
      state: "State",
      disk: "Disk (MB)",
      since: "Since",
    },
    running: "running",
    stopped: "stopped",
    noAccount: "central does not have it",
    notes: {
      filesOnly: "files only: cannot be adopted",
      noArchive: "central does not have the .zip",
      unproven: "without central's signature",
      placedOn: (host) => `central has it on ${host}`,
      heldBack: {
        unanswered: "central has an older state of it; the machine did not send its own",
        unproven: "central has an older state of it",
        variables_unavailable:
          "central has an older state of it; the master key for its variables is missing",
        failed: "central has an older state of it, and could not take the machine's over: see central's log",
      },
    },
    advice:
      "An orphan stays as it is until you decide: tijolo cluster orphan adopt <id> or tijolo cluster orphan remove <id>.",
    restored: "Restored in the last 7 days:",
    restoredAs: {
      adopted: "adopted",
      taken_over: "its machine had a newer state, which counts",
      installed_anew: "its machine had nothing of it any more: installed anew, with an empty disk",
    },
    sureToAdopt: (id) => `Give ${id} back to central, as its machine knows it?`,
    wouldAdopt: (id) => `This would give ${id} back to central, as its machine knows it. Confirm with --yes.`,
    adopted: (name, version, host) => `${name} (version ${version}) is back; it is on ${host}.`,
    noArchive:
      "Central does not have this version's .zip: the project runs, but can be installed anew only when its owner sends code.",
    noVariables: "The machine did not have this project's variables: its owner sets them anew.",
    sureToRemove: (id) => `Delete the orphan ${id} for ever, with all its files?`,
    wouldRemove: (id) =>
      `This would delete the orphan ${id} for ever, with all its files. Confirm with --yes.`,
    removed: (id, hosts) => `${id} is deleted from ${hosts}: now, or when the machine is back.`,
  },
};

export const orphan = { pt, en };
