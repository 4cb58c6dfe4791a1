/** What stands around every page of a project: its state, its address, what can be done with it, and its pages. */

import { Link, Outlet, useMatch, useParams } from "@tanstack/react-router";
import type { LiveProject } from "@tijolo/protocol/live";
import { useEffect, useState } from "react";
import { useSiteLink } from "../../api/site-link.ts";
import { CheckIcon, CopyIcon, ExternalLinkIcon } from "../../design/icons/icons.tsx";
import { dateTime } from "../../formats/formats.ts";
import { useLive, useLiveProject } from "../../live/live-store.ts";
import { Failure } from "../../parts/failure.tsx";
import { PageSkeleton } from "../../parts/page-skeleton.tsx";
import { Page, TitleScope } from "../../parts/page.tsx";
import { ProjectActions, useReasons } from "../../parts/project/project-actions.tsx";
import { useProjectReason } from "../../parts/project/project-reason.ts";
import { ProjectStatus } from "../../parts/project/project-status.tsx";
import { runProject } from "../../parts/project/run-project.ts";
import { useTexts } from "../../texts/in-both.ts";
import { projectTexts } from "../../texts/project/project.ts";
import { Button, buttonClass } from "../../ui/actions/button.tsx";
import { IconButton } from "../../ui/actions/icon-button.tsx";
import { Banner } from "../../ui/layout/banner.tsx";
import { Empty } from "../../ui/layout/empty.tsx";
import { PageTabs } from "../../ui/layout/page-tabs.tsx";
import { Skeleton } from "../../ui/marks/skeleton.tsx";
import { tell } from "../../ui/overlays/toast-store.ts";
import styles from "./project-frame.module.css";

export function ProjectFrame() {
  const { projectId } = useParams({ from: "/app/projects/$projectId" });
  const texts = useTexts(projectTexts);
  const live = useLiveProject(projectId);
  const isTold = useLive((state) => state.isComplete && !state.isKept);
  if (live !== undefined) return <Known live={live} isTold={isTold} />;
  if (!isTold)
    return (
      <Page title={texts.loading}>
        <Skeleton height="8rem" />
      </Page>
    );
  return (
    <Page title={texts.unknownTitle}>
      <Empty
        picture="nothing"
        sentence={texts.unknown}
        action={
          <Link to="/" className={buttonClass({ variant: "primary" })}>
            {texts.toProjects}
          </Link>
        }
      />
    </Page>
  );
}

/** `isTold`: false while the project is that of the last visit, of which not everything was kept. */
function Known({ live, isTold }: { live: LiveProject; isTold: boolean }) {
  const texts = useTexts(projectTexts);
  const { project } = live;
  const siteLink = useSiteLink(project);
  const [refused, setRefused] = useState<Error | null>(null);
  return (
    <div className={styles.frame}>
      <header className={styles.head}>
        <div className={styles.words}>
          <p className={styles.name}>{project.name}</p>
          <div className={styles.state}>
            <ProjectStatus live={live} />
            {siteLink !== null && (
              <span className={styles.address}>
                <a href={siteLink} target="_blank" rel="noreferrer">
                  {siteLink.replace(/^https?:\/\//, "").replace(/\/$/, "")} <ExternalLinkIcon size={14} />
                </a>
                <CopyAddress address={siteLink} />
              </span>
            )}
            <Reason live={live} />
          </div>
        </div>
        <div className={styles.actions}>
          <ProjectActions live={live} onRefused={setRefused} />
        </div>
      </header>
      {refused !== null && <Failure error={refused} title={texts.refusedTitle} />}
      <Notes live={live} onRefused={setRefused} />
      <Tabs project={project} />
      <TitleScope value={project.name}>{isTold ? <Outlet /> : <PageSkeleton />}</TitleScope>
    </div>
  );
}

/** On the overview the page itself says it, at length. */
function Reason({ live }: { live: LiveProject }) {
  // A banner says what waits, and that the machine is away.
  const reason = useProjectReason({ ...live, isRestartRequired: false, isHostAway: false });
  const isOverview = useMatch({ from: "/app/projects/$projectId/", shouldThrow: false }) !== undefined;
  return isOverview || reason === "" ? null : <p className={styles.reason}>{reason}</p>;
}

const copiedMs = 3_000;

/** Without HTTPS a page has no clipboard; then the link alone is there. */
function CopyAddress({ address }: { address: string }) {
  const texts = useTexts(projectTexts);
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), copiedMs);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (clipboard === undefined) return null;
  const copy = () =>
    void clipboard.writeText(address).then(
      () => setCopied(true),
      () => tell({ tone: "warn", text: texts.notCopied }),
    );
  return (
    <>
      <IconButton label={texts.copyAddress} icon={isCopied ? CheckIcon : CopyIcon} onClick={copy} />
      <span role="status" className={styles.copied}>
        {isCopied && texts.copied}
      </span>
    </>
  );
}

/** What a person should know before anything else: a silent machine, changes that wait. */
function Notes({ live, onRefused }: { live: LiveProject; onRefused: (error: Error | null) => void }) {
  const texts = useTexts(projectTexts);
  const { project, isHostAway, hostSeenAt, isRestartRequired, waiting } = live;
  const why = useReasons(live).restart ?? undefined;
  const restart = async () => onRefused(await runProject(project.id, "restart"));
  return (
    <>
      {isHostAway && (
        <Banner
          tone="warn"
          role="status"
          title={hostSeenAt === null ? texts.awayUnknown : texts.away(dateTime(hostSeenAt))}
        />
      )}
      {isRestartRequired && project.status === "running" && (
        <Banner
          tone="info"
          role="status"
          title={texts.waiting(waiting.map((field) => texts.fields[field]).join(", "))}
          actions={
            <Button why={why} onClick={() => void restart()}>
              {texts.restart}
            </Button>
          }
        />
      )}
    </>
  );
}

function Tabs({ project }: { project: LiveProject["project"] }) {
  const texts = useTexts(projectTexts);
  const params = { projectId: project.id };
  return (
    <PageTabs label={texts.pages(project.name)}>
      <Link to="/projects/$projectId" params={params} activeOptions={{ exact: true }}>
        {texts.overview}
      </Link>
      <Link to="/projects/$projectId/logs" params={params}>
        {texts.logs}
      </Link>
      <Link to="/projects/$projectId/metrics" params={params}>
        {texts.metrics}
      </Link>
      {project.type === "site" && (
        <Link to="/projects/$projectId/analytics" params={params}>
          {texts.analytics}
        </Link>
      )}
      <Link to="/projects/$projectId/versions" params={params}>
        {texts.versions}
      </Link>
      <Link to="/projects/$projectId/variables" params={params}>
        {texts.variables}
      </Link>
      {project.type === "site" && (
        <Link to="/projects/$projectId/domains" params={params}>
          {texts.domains}
        </Link>
      )}
      <Link to="/projects/$projectId/settings" params={params}>
        {texts.settings}
      </Link>
    </PageTabs>
  );
}
