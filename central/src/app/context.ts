/**
 * Defines the context of the whole of central, which the composition root makes and the edges hold. No room of
 * the rules knows it: each takes the context of its own room.
 */

import type { CertificatesContext } from "./certificates/certificates-context.ts";
import type { DomainsContext } from "./domains/domains-context.ts";
import type { GatewaysContext } from "./gateways/gateways-context.ts";
import type { HostProjectsContext } from "./host-projects/host-projects-context.ts";
import type { NoticesContext } from "./notices/notices-context.ts";
import type { PeopleContext } from "./people/people-context.ts";
import type { UploadsContext } from "./uploads/uploads-context.ts";
import type { VisitsContext } from "./visits/visits-context.ts";

export interface AppContext
  extends
    CertificatesContext,
    DomainsContext,
    GatewaysContext,
    Omit<HostProjectsContext, "siteRoutes">,
    NoticesContext,
    PeopleContext,
    UploadsContext,
    VisitsContext {}
