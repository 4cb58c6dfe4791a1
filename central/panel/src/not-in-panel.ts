/** Operations that have no page, each with the reason. */

import type { OperationName } from "@tijolo/protocol/client";

export const notInPanel = {
  getHealth: "For monitors: the panel shows the state of its own connection instead.",
  getOpenApi: "The description of the interface for programs; the help links to the page of it.",
  getDocs: "A page of its own at /api/docs, to which the help links.",
  setVariables:
    "The page changes what was changed (changeVariables): what somebody else set meanwhile stays.",
  getSvcSchema: "For editors of svc.json.",
  getAuthority: "Trusting it is done on each device, with what `tijolo cluster ca` prints.",
  listCertificates: "Certificates renew themselves; `tijolo cluster certificate list` shows them.",
  setCertificate: "A key belongs into no browser: `tijolo cluster certificate set` reads it from its file.",
  setDomainCertificate:
    "A key belongs into no browser: `tijolo domains certificate` reads it from its file. The page shows the state.",
  removeDomainCertificate: "Beside setDomainCertificate, on the command line.",
  removeCertificate: "Beside setCertificate, on the command line.",
  listGateways:
    "Operators add gateways at a machine, with the command that they use there (cluster gateway).",
  createGatewayToken: "See listGateways.",
  removeGateway: "See listGateways.",
  listProjects: "The live stream brings the same list, and each change of it.",
  createStartLink: "The first person comes by it, printed by npm start; whoever is in the panel adds people.",
} satisfies Partial<Record<OperationName, string>>;
