import type { operator as pt } from "../../pt/cli/operator.ts";

export const operator: typeof pt = {
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
