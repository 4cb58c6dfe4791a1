/** Defines what central does periodically by itself. */

import type { Reconciler } from "@tijolo/protocol/kit";
import { installMissing } from "./app/host-projects/install-missing.ts";
import { noteEndingCertificates } from "./app/certificates/ending-certificates.ts";
import { collectArchives } from "./app/uploads/collect-archives.ts";
import { checkDueDomains } from "./app/domains/check-domain.ts";
import { collectSessions } from "./app/people/collect-sessions.ts";
import type { AppContext } from "./app/context.ts";
import { tellAnnouncements } from "./app/notices/announcement.ts";
import { noteFailingChannels } from "./app/notices/failing-channels.ts";
import { createSilenceCheck } from "./app/notices/silent-hosts.ts";
import { collectHistory } from "./app/upkeep/collect-history.ts";
import { metricReconcilers } from "./app/metrics/metric-keeping.ts";
import { collectCounts, saveCounts } from "./app/upkeep/saved-counts.ts";
import { visitReconcilers } from "./app/visits/visit-keeping.ts";
import { returnEndedBetas } from "./app/accounts/beta-end.ts";
import { stopSuspended } from "./app/accounts/suspension.ts";

/** Longest delay after which a suspended account's projects stop, and an ended beta returns to Free. */
const standingEveryMs = 2_000;
/** Milliseconds of counted requests that a crash of central may lose. */
const saveCountsEveryMs = 3_000;
/**
 * Milliseconds between two checks for projects to install anew: a host that is waited for may be revoked, or
 * silent for too long.
 */
const installMissingEveryMs = 5_000;
/** Milliseconds until an announcement begins to reach the accounts. */
const announceEveryMs = 1_000;
const collectEveryMs = 10 * 60 * 1000;
/** Milliseconds between two looks at machines that are silent and channels that fail. */
const noticeEveryMs = 30_000;
/** Milliseconds until a domain that was added is checked. */
const domainsEveryMs = 1_000;
const rotationEveryMs = 60 * 1000;

export function reconcilersOf(app: AppContext): Reconciler[] {
  return [
    { name: "collect-archives", everyMs: collectEveryMs, run: () => collectArchives(app) },
    { name: "save-counts", everyMs: saveCountsEveryMs, run: () => saveCounts(app) },
    { name: "collect-counts", everyMs: collectEveryMs, run: () => collectCounts(app) },
    { name: "collect-sessions", everyMs: collectEveryMs, run: () => collectSessions(app) },
    { name: "stop-suspended", everyMs: standingEveryMs, run: () => stopSuspended(app) },
    { name: "return-ended-betas", everyMs: standingEveryMs, run: () => returnEndedBetas(app) },
    { name: "finish-key-rotation", everyMs: rotationEveryMs, run: () => app.masterKeys.finish() },
    { name: "install-missing", everyMs: installMissingEveryMs, run: () => installMissing(app) },
    ...metricReconcilers(app),
    ...visitReconcilers(app),
    { name: "tell-announcements", everyMs: announceEveryMs, run: () => tellAnnouncements(app) },
    { name: "note-silent-hosts", everyMs: noticeEveryMs, run: createSilenceCheck(app) },
    { name: "note-failing-channels", everyMs: noticeEveryMs, run: () => noteFailingChannels(app) },
    { name: "check-domains", everyMs: domainsEveryMs, run: () => checkDueDomains(app) },
    {
      name: "note-ending-certificates",
      everyMs: noticeEveryMs,
      run: () => noteEndingCertificates(app),
    },
    { name: "collect-history", everyMs: collectEveryMs, run: () => collectHistory(app) },
  ];
}
