/** Handles the operations on certificates, between the edge and the rules. */

import { getAuthority } from "../../app/certificates/local/local-authority.ts";
import {
  listCertificates,
  removeCertificate,
  setCertificate,
} from "../../app/certificates/operator-certificates.ts";
import type { AppContext } from "../../app/context.ts";
import type { Handlers } from "./handlers.ts";

export function certificateHandlers(app: AppContext) {
  return {
    getAuthority: async () => ({ authority: await getAuthority(app) }),
    listCertificates: () => listCertificates(app),
    setCertificate: async ({ principal, body }) => ({
      certificate: await setCertificate(app, principal.actor, body),
    }),
    removeCertificate: async ({ principal, params }) => {
      await removeCertificate(app, principal.actor, params.certificateId);
      return undefined;
    },
  } satisfies Partial<Handlers>;
}
