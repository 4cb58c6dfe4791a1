/** Collects the handlers of all operations, group by group. */

import type { AppContext } from "../../app/context.ts";
import type { GatewayLink } from "../../app/gateways/gateway.ts";
import type { HostLink } from "../../app/hosts/host-link.ts";
import type { LiveFeeds } from "../../app/live/live-feeds.ts";
import type { PanelFiles } from "../panel/panel-files.ts";
import { accountHandlers } from "./account.ts";
import { analyticsHandlers } from "./analytics.ts";
import { certificateHandlers } from "./certificate.ts";
import { clusterAccountHandlers } from "./cluster-account.ts";
import type { Handlers } from "./handlers.ts";
import { domainHandlers } from "./domain.ts";
import { sitePageHandlers } from "./site-page.ts";
import { siteSettingsHandlers } from "./site-settings.ts";
import { gatewayHandlers } from "./gateway.ts";
import { hostHandlers } from "./host.ts";
import { imageHandlers } from "./image.ts";
import { keyHandlers } from "./key.ts";
import { liveHandlers } from "./live.ts";
import { metricHandlers } from "./metric.ts";
import { noticeHandlers } from "./notice.ts";
import { operatorHandlers } from "./operator.ts";
import { orphanHandlers } from "./orphan.ts";
import { passkeyHandlers } from "./passkey.ts";
import { projectHandlers } from "./project.ts";
import { replacedFilesHandlers } from "./replaced-files.ts";
import { secretHandlers } from "./secret.ts";
import { serviceHandlers } from "./service.ts";
import { sessionHandlers } from "./session.ts";
import { variableHandlers } from "./variable.ts";

/** What the handlers need of other rooms than `app`. */
interface HandlerParts {
  link: HostLink & GatewayLink;
  live: LiveFeeds;
  panel: PanelFiles;
}

export function operationHandlers(app: AppContext, { link, live, panel }: HandlerParts): Handlers {
  return {
    ...projectHandlers(app, link),
    ...replacedFilesHandlers(app, link),
    ...liveHandlers(app, live),
    ...metricHandlers(app),
    ...analyticsHandlers(app),
    ...variableHandlers(app),
    ...domainHandlers(app),
    ...siteSettingsHandlers(app),
    ...sitePageHandlers(app),
    ...accountHandlers(app),
    ...keyHandlers(app),
    ...sessionHandlers(app),
    ...passkeyHandlers(app),
    ...serviceHandlers(app, panel),
    ...hostHandlers(app, link),
    ...gatewayHandlers(app, link),
    ...clusterAccountHandlers(app),
    ...orphanHandlers(app, link),
    ...imageHandlers(app, link),
    ...secretHandlers(app),
    ...certificateHandlers(app),
    ...operatorHandlers(app),
    ...noticeHandlers(app),
  };
}
