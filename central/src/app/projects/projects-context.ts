/** Defines the context of rules about projects. */

import type { KeyedQueue } from "@tijolo/protocol/kit";
import type { AccountsContext } from "../accounts/accounts-context.ts";
import type { HostsContext } from "../hosts/hosts-context.ts";
import type { MetricsContext } from "../metrics/metrics-context.ts";
import type { SecretsContext } from "../secrets/secrets-context.ts";

export interface ProjectsContext extends AccountsContext, HostsContext, MetricsContext, SecretsContext {
  /** Returns the public address of a site. */
  siteUrl: (subdomain: string) => string;
  /** Address of sites over HTTP, with `*` for the subdomain, where browsers may not know who signs; else null. */
  plainSiteUrlPattern: string | null;
  /** One queue per project: changes of a project happen one at a time, in order of arrival. */
  projectQueues: KeyedQueue;
}
