/** The migrations of central's database. A change of the schema is a new list of statements at the end. */

import type { Migrations } from "./migrate.ts";
import { certificateOrders } from "./migrations/certificate-orders.ts";
import { certificates } from "./migrations/certificates.ts";
import { domainCertificates } from "./migrations/domain-certificates.ts";
import { domains } from "./migrations/domains.ts";
import { keptSubdomains } from "./migrations/kept-subdomains.ts";
import { gateways } from "./migrations/gateways.ts";
import { mesh } from "./migrations/mesh.ts";
import { notices } from "./migrations/notices.ts";
import { operatorPeople } from "./migrations/operator-people.ts";
import { passkeys } from "./migrations/passkeys.ts";
import { replacedFiles } from "./migrations/replaced-files.ts";
import { rollback } from "./migrations/rollback.ts";
import { sitePages } from "./migrations/site-pages.ts";
import { siteSettings } from "./migrations/site-settings.ts";
import { start } from "./migrations/start.ts";
import { versionConfig } from "./migrations/version-config.ts";

/**
 * `start` has number 19: builds from before the first release took 19 migrations to the schema that it makes
 * in one, so a database that took all of them is as new as one that took `start`.
 */
export const migrations: Migrations = {
  firstNumber: 19,
  lists: [
    start,
    rollback,
    notices,
    versionConfig,
    replacedFiles,
    operatorPeople,
    passkeys,
    certificates,
    certificateOrders,
    domains,
    keptSubdomains,
    gateways,
    domainCertificates,
    siteSettings,
    sitePages,
    mesh,
  ],
};
