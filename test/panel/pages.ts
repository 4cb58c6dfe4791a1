/**
 * What tests look at in the panel: every address, as whom, and in which states besides the usual one.
 * `sweep.test.ts` visits each row, `pnpm panel:screenshots` takes pictures of each.
 */

import type { PagePath } from "../../central/panel/src/pages.ts";
import type { PanelWorld } from "./support/panel-world.ts";

/**
 * What may be wrong or missing when a page is opened, or while it is open; `support/panel-states.ts` brings
 * each about with real parts.
 */
export type PageState = "empty" | "failed" | "loading" | "offline" | "stale" | "host away" | "suspended";

export interface PageRow {
  path: PagePath;
  /** Who visits it: a stranger, a person with an account, or one who runs the cluster, too. */
  session: "none" | "person" | "operator";
  /** The address in this world, where it is not the path itself. */
  address?: (world: PanelWorld) => string;
  states?: readonly PageState[];
}

const project =
  (page = "") =>
  ({ projectId }: PanelWorld) =>
    `/projects/${projectId}${page}`;
const ofProject = ["failed", "loading", "offline", "stale", "host away", "suspended"] as const;
const ofAccount = ["empty", "loading", "suspended"] as const;
const ofCluster = ["loading", "offline"] as const;

export const pageRows: readonly PageRow[] = [
  { path: "/start", session: "none", address: () => "/start?token=not-a-token" },
  { path: "/sign-in", session: "none", states: ["loading", "offline"] },
  { path: "/sign-up", session: "none" },
  { path: "/sign-up/confirm", session: "none", address: () => "/sign-up/confirm?token=not-a-token" },
  { path: "/password/forgot", session: "none" },
  { path: "/password/reset", session: "none", address: () => "/password/reset?token=not-a-token" },
  { path: "/not-me", session: "none", address: () => "/not-me?token=not-a-token" },
  {
    path: "/",
    session: "person",
    states: ["empty", "loading", "offline", "stale", "host away", "suspended"],
  },
  { path: "/new", session: "person", states: ["empty", "offline", "suspended"] },
  { path: "/notices", session: "person", states: ofAccount },
  { path: "/projects/$projectId", session: "person", address: project(), states: ofProject },
  { path: "/projects/$projectId/logs", session: "person", address: project("/logs"), states: ofProject },
  {
    path: "/projects/$projectId/metrics",
    session: "person",
    address: project("/metrics"),
    states: ofProject,
  },
  {
    path: "/projects/$projectId/analytics",
    session: "person",
    address: ({ siteId }) => `/projects/${siteId}/analytics`,
    states: ["failed", "loading", "offline", "stale"],
  },
  {
    path: "/projects/$projectId/versions",
    session: "person",
    address: project("/versions"),
    states: ofProject,
  },
  {
    path: "/projects/$projectId/variables",
    session: "person",
    address: project("/variables"),
    states: ofProject,
  },
  {
    path: "/projects/$projectId/domains",
    session: "person",
    address: ({ siteId }) => `/projects/${siteId}/domains`,
    states: ["loading", "offline"],
  },
  {
    path: "/projects/$projectId/settings",
    session: "person",
    address: project("/settings"),
    states: ofProject,
  },
  { path: "/account", session: "person", states: ofAccount },
  { path: "/account/keys", session: "person", states: ofAccount },
  { path: "/account/security", session: "person", states: ofAccount },
  { path: "/account/activity", session: "person", states: ofAccount },
  { path: "/account/preferences", session: "person" },
  { path: "/help", session: "person" },
  { path: "/help/$topic", session: "person", address: () => "/help/insufficient_memory" },
  { path: "/cluster", session: "operator", states: [...ofCluster, "host away"] },
  {
    path: "/cluster/hosts/$host",
    session: "operator",
    address: ({ hostName }) => `/cluster/hosts/${hostName}`,
    states: [...ofCluster, "host away"],
  },
  { path: "/cluster/accounts", session: "operator", states: ofCluster },
  {
    path: "/cluster/accounts/$accountId",
    session: "operator",
    address: ({ person }) => `/cluster/accounts/${person.accountId}`,
    states: ofCluster,
  },
  { path: "/cluster/images", session: "operator", states: ofCluster },
  { path: "/cluster/operators", session: "operator", states: ofCluster },
  { path: "/cluster/secrets", session: "operator", states: ofCluster },
  { path: "/cluster/orphans", session: "operator", states: ofCluster },
  { path: "/cluster/announcements", session: "operator", states: ofCluster },
  { path: "/cluster/audit", session: "operator", states: ofCluster },
];
