/** Texts of `tijolo cluster operator …` and `tijolo cluster audit`. */

export const operator = {
  commands: {
    "cluster operator add": "Cria um operador e mostra o token dele, só desta vez",
    "cluster operator list": "Lista os operadores, com papel e prazo",
    "cluster operator revoke": "Revoga um operador: o token deixa de valer na hora",
    "cluster audit": "Mostra o que os operadores mudaram, e de onde",
  },
  options: {
    operatorRole: "viewer (só olha), operator (também muda) ou owner (também cria donos); padrão operator",
    operatorExpiry: "por quanto tempo o token vale, como 30d ou 12h (padrão: até ser revogado)",
    auditCursor: "continua depois da última página, com o cursor que ela disse",
  },
  texts: {
    name: "o nome do operador",
    idOrName: "o operador (id ou nome)",
    role: "Papel",
    prefix: "Começo do token",
    expires: "Vale até",
    never: "ser revogado",
    expired: (time: string) => `${time} (venceu)`,
    added: (id: string) =>
      `Operador ${id}. O token só aparece agora; a pessoa entra com ele em tijolo cluster login:`,
    noSuch: (given: string) =>
      `Nenhum operador tem o id ou o nome "${given}". Veja tijolo cluster operator list.`,
    many: (given: string, ids: string) =>
      `Mais de um operador se chama "${given}". Diga o id, um destes: ${ids}`,
    sureToRevoke: (name: string) => `Revogar ${name}? O token deixa de valer na hora.`,
    wouldRevoke: (name: string) =>
      `Isto revogaria ${name}, e o token deixaria de valer na hora. Confirme com --yes.`,
    revoked: (name: string) => `${name} foi revogado: o token não vale mais.`,
    noAudit: "Nenhum operador mudou nada ainda.",
    older: (cursor: string) => `Há mais: --cursor ${cursor}`,
  },
};
