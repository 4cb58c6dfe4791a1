/**
 * Every address of the panel. A page is a chunk of its own, fetched when its link is hovered, focused or touched;
 * `pages.ts` says which operations each needs.
 */

import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  type AnyRoute,
} from "@tanstack/react-router";
import type { ComponentType } from "react";
import { loadSession } from "./api/session.ts";
import { forgetList } from "./live/kept-list.ts";
import { readLogSearch } from "./live/log/log-search.ts";
import { Frame } from "./parts/frame/frame.tsx";
import { readAccountSearch } from "./parts/cluster/account-search.ts";
import { readProjectSearch } from "./parts/project/project-search.ts";
import { PageFailure } from "./parts/page-failure.tsx";
import { PageSkeleton } from "./parts/page-skeleton.tsx";
import { NotFound } from "./parts/not-found.tsx";

type PageModule = () => Promise<{ Page: ComponentType }>;

const root = createRootRoute({ notFoundComponent: NotFound, errorComponent: PageFailure });

/** Pages of strangers; somebody who is signed in may see them, too. */
const entry = createRoute({
  getParentRoute: () => root,
  id: "entry",
  component: lazyRouteComponent(() => import("./parts/entry/entry-frame.tsx"), "EntryFrame"),
});

/** Pages of those who are signed in; a stranger is led to the sign-in, and back. */
const app = createRoute({
  getParentRoute: () => root,
  id: "app",
  beforeLoad: async ({ location }) => {
    const session = await loadSession();
    if (session !== null) return { session };
    forgetList();
    throw redirect({ to: "/sign-in", search: { next: location.href } });
  },
  component: Frame,
});

const cluster = createRoute({
  getParentRoute: () => app,
  path: "/cluster",
  component: lazyRouteComponent(() => import("./pages/cluster/cluster-frame.tsx"), "ClusterFrame"),
});

const account = createRoute({
  getParentRoute: () => app,
  path: "/account",
  component: lazyRouteComponent(() => import("./pages/account/account-frame.tsx"), "AccountFrame"),
});

const project = createRoute({
  getParentRoute: () => app,
  path: "/projects/$projectId",
  component: lazyRouteComponent(() => import("./pages/project/project-frame.tsx"), "ProjectFrame"),
});

const projects = createRoute({
  getParentRoute: () => app,
  path: "/",
  validateSearch: readProjectSearch,
  component: lazyRouteComponent(() => import("./pages/projects/projects-page.tsx"), "Page"),
});

const signIn = createRoute({
  getParentRoute: () => entry,
  path: "/sign-in",
  validateSearch: (search: Record<string, unknown>): { next?: string } =>
    typeof search["next"] === "string" ? { next: search["next"] } : {},
  component: lazyRouteComponent(() => import("./pages/entry/sign-in-page.tsx"), "Page"),
});

const signUp = createRoute({
  getParentRoute: () => entry,
  path: "/sign-up",
  component: lazyRouteComponent(() => import("./pages/entry/sign-up-page.tsx"), "Page"),
});

const logs = createRoute({
  getParentRoute: () => project,
  path: "/logs",
  validateSearch: readLogSearch,
  component: lazyRouteComponent(() => import("./pages/project/logs-page.tsx"), "Page"),
});

const metrics = createRoute({
  getParentRoute: () => project,
  path: "/metrics",
  validateSearch: (search: Record<string, unknown>): { range?: string } =>
    typeof search["range"] === "string" ? { range: search["range"] } : {},
  component: lazyRouteComponent(() => import("./pages/project/metrics-page.tsx"), "Page"),
});

const analytics = createRoute({
  getParentRoute: () => project,
  path: "/analytics",
  validateSearch: (search: Record<string, unknown>): { range?: string } =>
    typeof search["range"] === "string" ? { range: search["range"] } : {},
  component: lazyRouteComponent(() => import("./pages/project/analytics-page.tsx"), "Page"),
});

const notices = createRoute({
  getParentRoute: () => app,
  path: "/notices",
  validateSearch: (search: Record<string, unknown>): { unread?: true } =>
    search["unread"] === true ? { unread: true } : {},
  component: lazyRouteComponent(() => import("./pages/notices/notices-page.tsx"), "Page"),
});

const clusterAccounts = createRoute({
  getParentRoute: () => cluster,
  path: "/accounts",
  validateSearch: readAccountSearch,
  component: lazyRouteComponent(() => import("./pages/cluster/accounts-page.tsx"), "Page"),
});

const tree = root.addChildren([
  entry.addChildren([
    signIn,
    signUp,
    page(entry, "/start", () => import("./pages/entry/start-page.tsx")),
    page(entry, "/sign-up/confirm", () => import("./pages/entry/confirm-sign-up-page.tsx")),
    page(entry, "/password/forgot", () => import("./pages/entry/forgot-password-page.tsx")),
    page(entry, "/password/reset", () => import("./pages/entry/reset-password-page.tsx")),
    page(entry, "/not-me", () => import("./pages/entry/not-me-page.tsx")),
  ]),
  app.addChildren([
    projects,
    page(app, "/new", () => import("./pages/new/new-project-page.tsx")),
    notices,
    page(app, "/help", () => import("./pages/help/help-page.tsx")),
    page(app, "/help/$topic", () => import("./pages/help/topic-page.tsx")),
    project.addChildren([
      page(project, "/", () => import("./pages/project/overview-page.tsx")),
      logs,
      metrics,
      analytics,
      page(project, "/versions", () => import("./pages/project/versions-page.tsx")),
      page(project, "/variables", () => import("./pages/project/variables-page.tsx")),
      page(project, "/domains", () => import("./pages/project/domains-page.tsx")),
      page(project, "/settings", () => import("./pages/project/settings-page.tsx")),
    ]),
    account.addChildren([
      page(account, "/", () => import("./pages/account/account-page.tsx")),
      page(account, "/keys", () => import("./pages/account/keys-page.tsx")),
      page(account, "/security", () => import("./pages/account/security-page.tsx")),
      page(account, "/activity", () => import("./pages/account/activity-page.tsx")),
      page(account, "/preferences", () => import("./pages/account/preferences-page.tsx")),
    ]),
    cluster.addChildren([
      page(cluster, "/", () => import("./pages/cluster/hosts-page.tsx")),
      page(cluster, "/hosts/$host", () => import("./pages/cluster/host-page.tsx")),
      clusterAccounts,
      page(cluster, "/accounts/$accountId", () => import("./pages/cluster/cluster-account-page.tsx")),
      page(cluster, "/images", () => import("./pages/cluster/images-page.tsx")),
      page(cluster, "/operators", () => import("./pages/cluster/operators-page.tsx")),
      page(cluster, "/secrets", () => import("./pages/cluster/secrets-page.tsx")),
      page(cluster, "/orphans", () => import("./pages/cluster/orphans-page.tsx")),
      page(cluster, "/announcements", () => import("./pages/cluster/announcements-page.tsx")),
      page(cluster, "/audit", () => import("./pages/cluster/audit-page.tsx")),
    ]),
  ]),
]);

export const router = createRouter({
  routeTree: tree,
  defaultPreload: "intent",
  defaultPreloadDelay: 30,
  defaultPendingMs: 150,
  defaultPendingMinMs: 0,
  defaultPendingComponent: PageSkeleton,
  defaultErrorComponent: PageFailure,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

/** A page without state in its address. */
function page<Parent extends AnyRoute, Path extends string>(parent: Parent, path: Path, load: PageModule) {
  return createRoute({
    getParentRoute: () => parent,
    path,
    component: lazyRouteComponent(load, "Page"),
  });
}
