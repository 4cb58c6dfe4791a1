/** Texts of `tijolo cluster operator …` and `tijolo cluster audit`. */

const pt = {
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

const en: typeof pt = {
  commands: {
    "cluster operator add": "Adds an operator and shows the token, this once",
    "cluster operator list": "Lists the operators, with role and expiry",
    "cluster operator revoke": "Revokes an operator: the token stops working at once",
    "cluster audit": "Shows what operators changed, and from where",
  },
  options: {
    operatorRole:
      "viewer (only looks), operator (also changes) or owner (also adds owners); default operator",
    operatorExpiry: "how long the token works, such as 30d or 12h (default: until it is revoked)",
    auditCursor: "continues after the last page, with the cursor that it told",
  },
  texts: {
    name: "the operator's name",
    idOrName: "the operator (id or name)",
    role: "Role",
    prefix: "Token begins",
    expires: "Works until",
    never: "it is revoked",
    expired: (time) => `${time} (expired)`,
    added: (id) =>
      `Operator ${id}. The token is shown only now; its person signs in with tijolo cluster login:`,
    noSuch: (given) => `No operator has the id or the name "${given}". See tijolo cluster operator list.`,
    many: (given, ids) => `More than one operator is called "${given}". Give the id, one of these: ${ids}`,
    sureToRevoke: (name) => `Revoke ${name}? The token stops working at once.`,
    wouldRevoke: (name) =>
      `This would revoke ${name}, and the token would stop working at once. Confirm with --yes.`,
    revoked: (name) => `${name} is revoked: the token does not work any more.`,
    noAudit: "No operator has changed anything yet.",
    older: (cursor) => `There is more: --cursor ${cursor}`,
  },
};

export const operator = { pt, en };
