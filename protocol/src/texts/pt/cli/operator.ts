/** Texts of `tijolo cluster operator …` and `tijolo cluster audit`. */

import type { OperatorKind } from "../../../nouns/cluster/operator.ts";

export const operator = {
  commands: {
    "cluster operator add": "Dá a uma pessoa o papel de operador, ou cria um token e o mostra, só desta vez",
    "cluster operator link": "Cria o link de uso único com que alguém vira dono do cluster",
    "cluster operator list": "Lista os operadores, com papel e prazo",
    "cluster operator revoke":
      "Revoga um operador na hora: o token deixa de valer, ou a pessoa perde o papel",
    "cluster audit": "Mostra o que os operadores mudaram, e de onde",
  },
  options: {
    operatorRole: "viewer (só olha), operator (também muda) ou owner (também cria donos); padrão operator",
    operatorExpiry: "por quanto tempo o token vale, como 30d ou 12h (padrão: até ser revogado)",
    auditCursor: "continua depois da última página, com o cursor que ela disse",
  },
  texts: {
    name: "o e-mail da pessoa, ou o nome do token",
    idOrName: "o operador (id, nome ou e-mail)",
    role: "Papel",
    entersWith: "Entra com",
    withoutTwoFactor: (email: string) => `${email} (sem duas etapas)`,
    expires: "Vale até",
    never: "ser revogado",
    expired: (time: string) => `${time} (venceu)`,
    added: (id: string) =>
      `Operador ${id}. O token só aparece agora; a pessoa entra com ele em tijolo cluster login:`,
    addedPerson: (name: string, email: string, role: string) =>
      `${name} (${email}) agora opera o cluster com o papel ${role}, no painel.`,
    needsTwoFactor: "Para operar, falta ligar a entrada em duas etapas na própria conta.",
    noPerson: (email: string) =>
      `Ninguém aqui tem o e-mail ${email}. A pessoa cria a conta primeiro: tijolo cluster invite`,
    noExpiryOfPerson: "--expires é só para tokens: uma pessoa opera até ser revogada.",
    link: (time: string) =>
      `Quem abrir este link vira dono do cluster. Vale uma vez, até ${time}; o link anterior não vale mais:`,
    noSuch: (given: string) =>
      `Nenhum operador tem o id ou o nome "${given}". Veja tijolo cluster operator list.`,
    many: (given: string, ids: string) =>
      `Mais de um operador se chama "${given}". Diga o id, um destes: ${ids}`,
    sureToRevoke: (name: string, kind: OperatorKind) =>
      kind === "token"
        ? `Revogar ${name}? O token deixa de valer na hora.`
        : `Tirar de ${name} o papel de operador? Vale na hora; a conta continua.`,
    wouldRevoke: (name: string, kind: OperatorKind) =>
      kind === "token"
        ? `Isto revogaria ${name}, e o token deixaria de valer na hora. Confirme com --yes.`
        : `Isto tiraria de ${name} o papel de operador na hora. Confirme com --yes.`,
    revoked: (name: string, kind: OperatorKind) =>
      kind === "token"
        ? `${name} foi revogado: o token não vale mais.`
        : `${name} não opera mais o cluster. A conta continua.`,
    noAudit: "Nenhum operador mudou nada ainda.",
    older: (cursor: string) => `Há mais: --cursor ${cursor}`,
  },
};
