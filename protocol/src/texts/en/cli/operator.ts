import type { operator as pt } from "../../pt/cli/operator.ts";

export const operator: typeof pt = {
  commands: {
    "cluster operator add": "Gives a person an operator's role, or makes a token and shows it, this once",
    "cluster operator link": "Makes the single-use link with which somebody becomes an owner of the cluster",
    "cluster operator list": "Lists the operators, with role and expiry",
    "cluster operator revoke":
      "Revokes an operator at once: the token stops working, or the person loses the role",
    "cluster audit": "Shows what operators changed, and from where",
  },
  options: {
    operatorRole:
      "viewer (only looks), operator (also changes) or owner (also adds owners); default operator",
    operatorExpiry: "how long the token works, such as 30d or 12h (default: until it is revoked)",
    auditCursor: "continues after the last page, with the cursor that it told",
  },
  texts: {
    name: "the person's e-mail, or the token's name",
    idOrName: "the operator (id, name or e-mail)",
    role: "Role",
    entersWith: "Signs in with",
    withoutTwoFactor: (email) => `${email} (no second factor)`,
    expires: "Works until",
    never: "it is revoked",
    expired: (time) => `${time} (expired)`,
    added: (id) =>
      `Operator ${id}. The token is shown only now; its person signs in with tijolo cluster login:`,
    addedPerson: (name, email, role) =>
      `${name} (${email}) runs the cluster with the role ${role} from now on, in the panel.`,
    needsTwoFactor: "Before that, two-factor sign-in must be turned on in the own account.",
    noPerson: (email) =>
      `Nobody here has the e-mail ${email}. The person makes an account first: tijolo cluster invite`,
    noExpiryOfPerson: "--expires is for tokens only: a person runs the cluster until revoked.",
    link: (time) =>
      `Whoever opens this link becomes an owner of the cluster. It works once, until ${time}; the link before it does not work any more:`,
    noSuch: (given) => `No operator has the id or the name "${given}". See tijolo cluster operator list.`,
    many: (given, ids) => `More than one operator is called "${given}". Give the id, one of these: ${ids}`,
    sureToRevoke: (name, kind) =>
      kind === "token"
        ? `Revoke ${name}? The token stops working at once.`
        : `Take the operator's role from ${name}? It ends at once; the account stays.`,
    wouldRevoke: (name, kind) =>
      kind === "token"
        ? `This would revoke ${name}, and the token would stop working at once. Confirm with --yes.`
        : `This would take the operator's role from ${name} at once. Confirm with --yes.`,
    revoked: (name, kind) =>
      kind === "token"
        ? `${name} is revoked: the token does not work any more.`
        : `${name} does not run the cluster any more. The account stays.`,
    noAudit: "No operator has changed anything yet.",
    older: (cursor) => `There is more: --cursor ${cursor}`,
  },
};
