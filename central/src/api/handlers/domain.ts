/** Handles the operations on sites' own domains, between the edge and the rules. */

import type { AppContext } from "../../app/context.ts";
import { addDomain, listDomains, removeDomain, verifyDomain } from "../../app/domains/domain.ts";
import { removeDomainCertificate, setDomainCertificate } from "../../app/domains/domain-certificate.ts";
import type { Handlers } from "./handlers.ts";

export function domainHandlers(app: AppContext) {
  return {
    listDomains: async ({ principal, params: { id } }) => ({
      domains: await listDomains(app, principal, id),
    }),
    addDomain: async ({ principal, params: { id }, body }) => ({
      domain: await addDomain(app, principal, id, body),
    }),
    verifyDomain: async ({ principal, params: { id, hostname } }) => ({
      domain: await verifyDomain(app, principal, id, hostname),
    }),
    setDomainCertificate: async ({ principal, params: { id, hostname }, body }) => ({
      domain: await setDomainCertificate(app, principal, id, hostname, body),
    }),
    removeDomainCertificate: async ({ principal, params: { id, hostname } }) => {
      await removeDomainCertificate(app, principal, id, hostname);
      return undefined;
    },
    removeDomain: async ({ principal, params: { id, hostname } }) => {
      await removeDomain(app, principal, id, hostname);
      return undefined;
    },
  } satisfies Partial<Handlers>;
}
