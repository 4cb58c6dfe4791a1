/** Why the project is as it is, what it uses, and what happened to it. */

import { Link, useParams } from "@tanstack/react-router";
import type { LiveProject } from "@tijolo/protocol/live";
import { useSession } from "../../api/session.ts";
import { usePages } from "../../api/use-pages.ts";
import { ago, bytes, dateTime, megabytes, percent } from "../../formats/formats.ts";
import { useLiveProject } from "../../live/live-store.ts";
import { useNow } from "../../parts/use-now.ts";
import { Page as PageHead } from "../../parts/page.tsx";
import { exitTexts } from "../../texts/project/exits.ts";
import { useTexts } from "../../texts/in-both.ts";
import { languageTexts } from "../../texts/languages.ts";
import { overviewTexts } from "../../texts/project/overview.ts";
import { projectReasonTexts } from "../../texts/project/project-reason.ts";
import { buttonClass } from "../../ui/actions/button.tsx";
import { Banner } from "../../ui/layout/banner.tsx";
import { TitledCard } from "../../ui/layout/card.tsx";
import { DescriptionList } from "../../ui/layout/description-list.tsx";
import { Meter } from "../../ui/marks/meter.tsx";
import { ProjectEvents } from "./project-events.tsx";
import { ErrorLines } from "./error-lines.tsx";
import styles from "./overview-page.module.css";

export function Page() {
  const { projectId } = useParams({ from: "/app/projects/$projectId" });
  const live = useLiveProject(projectId);
  return live === undefined ? null : <Overview live={live} />;
}

function Overview({ live }: { live: LiveProject }) {
  const texts = useTexts(overviewTexts);
  const { project } = live;
  const isUnreached = useIsUnreached(live);
  return (
    <PageHead
      title={useWhy(live, isUnreached)}
      {...(project.description === "" ? {} : { intro: project.description })}
    >
      {isUnreached ? <Unreached project={project} /> : <Explanation live={live} />}
      <div className={styles.columns}>
        <TitledCard title={texts.usage}>
          <Usage live={live} />
        </TitledCard>
        <TitledCard
          title={texts.settings}
          actions={
            <Link
              to="/projects/$projectId/settings"
              params={{ projectId: project.id }}
              className={buttonClass({ size: "small" })}
            >
              {texts.change}
            </Link>
          }
        >
          <Settings live={live} />
        </TitledCard>
      </div>
      <ProjectEvents projectId={project.id} updatedAt={project.updatedAt} />
    </PageHead>
  );
}

/** Milliseconds that a site has to listen on its port, before that it does not is a fault. */
const patienceMs = 15_000;

/** True for a site whose program runs, and does not listen on its port although it had the time. */
function useIsUnreached({ isSilent, project: { startedAt } }: LiveProject): boolean {
  const now = useNow();
  return isSilent && startedAt !== null && now - Date.parse(startedAt) >= patienceMs;
}

function useWhy({ project }: LiveProject, isUnreached: boolean): string {
  const { why } = useTexts(overviewTexts);
  const stop = useStop(project.id);
  switch (project.status) {
    case "running":
      return (isUnreached ? why.silent : why.running)(
        project.startedAt === null ? "" : ago(project.startedAt),
      );
    case "stopped":
      return stop ?? why.stopped;
    case "creating":
    case "installing":
      return why.preparing;
    case "restarting":
      return project.consecutiveCrashes > 0 ? why.crashed(project.consecutiveCrashes) : why.restarting;
    case "crash_loop":
      return why.crashed(project.consecutiveCrashes);
    case "error":
      return why.failed;
  }
}

/** Events by which somebody decided whether the project runs. */
const decisions: ReadonlySet<string> = new Set(["start", "restart", "stop"]);

/** Who stopped the project, and when; undefined when nobody has stopped it since it was started. */
function useStop(projectId: string): string | undefined {
  const { why } = useTexts(overviewTexts);
  const person = useSession()?.person;
  const { data } = usePages("listProjectEvents", { id: projectId });
  const last = data?.flatMap(({ events }) => events).find(({ kind }) => decisions.has(kind));
  if (last?.kind !== "stop" || last.actor === null || last.actor.name === "") return undefined;
  const isOwn = last.actor.kind === "session" && last.actor.name === person?.name;
  return isOwn ? why.stoppedByYou(ago(last.at)) : why.stoppedBy(last.actor.name, ago(last.at));
}

/** The reason in the server's words, the lines that led to it, and where to read on. */
function Explanation({ live: { project } }: { live: LiveProject }) {
  const texts = useTexts(overviewTexts);
  const exits: Record<string, string> = useTexts(exitTexts);
  const { error, lastExit } = project;
  const isComingBack = project.status === "restarting" && project.consecutiveCrashes > 0;
  if (error === null && !isComingBack) return null;
  const section =
    error?.code.startsWith("install") || error?.code === "system_packages_failed" ? "install" : "app";
  return (
    <Banner
      tone={error === null ? "warn" : "bad"}
      title={
        error?.message ??
        (lastExit === null || lastExit.isOutOfMemory ? undefined : exits[String(lastExit.code)])
      }
      actions={
        <Link
          to="/projects/$projectId/logs"
          params={{ projectId: project.id }}
          search={{ section }}
          className={buttonClass()}
        >
          {texts.toLogs}
        </Link>
      }
    >
      {lastExit?.isOutOfMemory === true && section === "app" ? (
        <p>
          <Link to="/projects/$projectId/settings" params={{ projectId: project.id }}>
            {texts.overMemory(megabytes(project.memoryMb))}
          </Link>
        </p>
      ) : (
        error !== null && lastExit !== null && section === "app" && <p>{exits[String(lastExit.code)]}</p>
      )}
      <ErrorLines projectId={project.id} section={section} changedAt={project.updatedAt} />
      {error !== null && (
        <p>
          <Link to="/help/$topic" params={{ topic: error.code }}>
            {texts.whatIsThis}
          </Link>
        </p>
      )}
    </Banner>
  );
}

/** A site that nobody can reach: the agent has written into the log where it listens instead. */
function Unreached({ project: { id, startedAt, port } }: { project: LiveProject["project"] }) {
  const texts = useTexts(overviewTexts);
  const reasons = useTexts(projectReasonTexts);
  return (
    <Banner
      tone="warn"
      title={reasons.silentTitle(String(port))}
      actions={
        <Link to="/projects/$projectId/logs" params={{ projectId: id }} className={buttonClass()}>
          {texts.toLogs}
        </Link>
      }
    >
      <p>{reasons.silentText}</p>
      <ErrorLines projectId={id} section="app" changedAt={startedAt ?? ""} />
    </Banner>
  );
}

function Usage({ live: { project } }: { live: LiveProject }) {
  const texts = useTexts(overviewTexts);
  const { usage, memoryMb, lastExit, consecutiveCrashes } = project;
  return (
    <div className={styles.usage}>
      {usage === null ? (
        <p className={styles.soft}>{texts.none}</p>
      ) : (
        <>
          <Meter
            label={texts.memory}
            value={usage.memoryMb}
            max={memoryMb}
            text={texts.of(megabytes(usage.memoryMb), megabytes(memoryMb))}
            tone={usage.memoryMb > memoryMb * 0.9 ? "warn" : "brick"}
          />
          <Meter label={texts.cpu} value={usage.cpuPercent} max={null} text={percent(usage.cpuPercent)} />
          <Meter
            label={texts.network}
            value={0}
            max={null}
            text={texts.networkOf(bytes(usage.networkInBps), bytes(usage.networkOutBps))}
          />
        </>
      )}
      <DescriptionList
        items={[
          ...(consecutiveCrashes > 0
            ? [{ term: texts.crashes, value: texts.crashesOf(consecutiveCrashes) }]
            : []),
          ...(lastExit === null
            ? []
            : [
                {
                  term: texts.lastExit,
                  value: (
                    <Link to="/help/$topic" params={{ topic: `exit-${lastExit.code}` }}>
                      {texts.exit(lastExit.code, dateTime(lastExit.exitedAt))}
                      {lastExit.isOutOfMemory && `, ${texts.outOfMemory}`}
                    </Link>
                  ),
                },
              ]),
        ]}
      />
    </div>
  );
}

function Settings({ live: { project } }: { live: LiveProject }) {
  const texts = useTexts(overviewTexts);
  const languageNames: Record<string, string> = useTexts(languageTexts);
  const { language, version, command, memoryMb, port, internalHost, createdAt, id } = project;
  return (
    <DescriptionList
      items={[
        { term: texts.language, value: `${languageNames[language] ?? language} ${version}`.trim() },
        ...(command === "" ? [] : [{ term: texts.command, value: <code>{command}</code> }]),
        { term: texts.memory, value: megabytes(memoryMb) },
        ...(port === null ? [] : [{ term: texts.port, value: String(port) }]),
        { term: texts.internal, value: <code>{internalHost}</code> },
        { term: texts.created, value: dateTime(createdAt) },
        { term: texts.id, value: <code>{id}</code> },
      ]}
    />
  );
}
