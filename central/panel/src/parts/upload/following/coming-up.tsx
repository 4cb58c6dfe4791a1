/** Follows a project from the upload until it runs: four bricks, its log, and what to do when it does not come up. */

import { actionableOf } from "@tijolo/protocol/project";
import { Link } from "@tanstack/react-router";
import { useCallback, useEffect, useRef, useState, type ReactNode } from "react";
import { useAction } from "../../../api/use-action.ts";
import { useRead } from "../../../api/use-read.ts";
import { ExternalLinkIcon, PlayIcon } from "../../../design/icons/icons.tsx";
import { duration } from "../../../formats/formats.ts";
import { useLiveProject } from "../../../live/live-store.ts";
import { uploadTexts } from "../../../texts/upload.ts";
import { useTexts } from "../../../texts/in-both.ts";
import { Button, buttonClass } from "../../../ui/actions/button.tsx";
import { LinkButton } from "../../../ui/actions/link-button.tsx";
import { Banner } from "../../../ui/layout/banner.tsx";
import { Failure } from "../../failure.tsx";
import styles from "./coming-up.module.css";
import { FirstLines } from "./first-lines.tsx";
import { stagesOf, type Stages } from "./stages.ts";
import { StepBricks } from "./step-bricks.tsx";
import type { Project } from "../use-upload.ts";

interface ComingUpProps {
  /** As the answer of the upload had it. */
  sent: Project;
  /** Milliseconds since 1970 when the upload began. */
  beganAt: number;
  /**
   * Given when what was sent asks for no start: once it is installed it gets these variables, perhaps none, and
   * is started. While a project is being prepared it takes neither.
   */
  variables?: Readonly<Record<string, string>> | null;
  /** Goes back to the form, after a failure. */
  onAgain?: () => void;
}

export function ComingUp({ sent, beganAt, variables = null, onAgain }: ComingUpProps) {
  const texts = useTexts(uploadTexts);
  const { project, isStarting } = useNewest(sent);
  const start = useStart(project, variables);
  const stages = stagesOf(project, { isStarting, willStart: variables !== null && start.error === null });
  const seconds = useSecondsUntil(stages.end === "running", beganAt);
  return (
    <div className={styles.comingUp}>
      <StepBricks stages={stages} />
      <div role="status">
        {stages.end === "running" && <End title={texts.runningAfter(duration(seconds))} project={project} />}
        {stages.end === "off" && (
          <Off project={project} onStart={() => void start.run()} isStarting={start.isRunning} />
        )}
        {stages.isWaitingForPort && <p className={styles.note}>{texts.waitsForPort}</p>}
      </div>
      {start.error !== null && (
        <Failure
          error={start.error}
          onRetry={() => void start.run()}
          title={start.isOfVariables ? texts.variablesFailed : texts.startFailed}
        />
      )}
      {stages.end === "failed" && <Failed project={project} stages={stages} onAgain={onAgain} />}
      <section aria-label={texts.logTitle}>
        <h2 className={styles.logTitle}>{stages.end === "failed" ? texts.lastLines : texts.logTitle}</h2>
        <FirstLines projectId={project.id} label={texts.logTitle} />
      </section>
    </div>
  );
}

/** The newest that is known: the live stream is ahead of what was read, and both of the upload's answer. */
function useNewest(sent: Project): { project: Project; isStarting: boolean } {
  const live = useLiveProject(sent.id);
  const { data } = useRead("getProject", { id: sent.id }, { staleMs: 0 });
  const project = [sent, data?.project, live?.project]
    .filter((one) => one !== undefined)
    .reduce((one, other) => (other.updatedAt >= one.updatedAt ? other : one));
  const isStarting = live?.isStarting ?? data?.isStarting === true;
  return { project, isStarting: isStarting && project.status === "running" };
}

/** Stores the variables and starts what is installed, once; a person may do it again. */
function useStart(project: Project, variables: ComingUpProps["variables"]) {
  const starting = useAction("startProject", { refreshes: ["getProject"] });
  const storing = useAction("changeVariables", { refreshes: ["listVariables"] });
  const hasStored = useRef(Object.keys(variables ?? {}).length === 0);
  const hasBegun = useRef(variables === null);
  const { id, status } = project;
  const { run: start } = starting;
  const { run: store } = storing;
  const run = useCallback(async () => {
    hasStored.current ||= await store({ id, body: { variables: { ...variables } } });
    if (hasStored.current) await start({ id });
  }, [id, variables, store, start]);
  useEffect(() => {
    if (hasBegun.current || status !== "stopped") return;
    hasBegun.current = true;
    void run();
  }, [status, run]);
  return {
    run,
    isRunning: storing.isRunning || starting.isRunning,
    error: storing.error ?? starting.error,
    isOfVariables: storing.error !== null,
  };
}

/** Whole and tenth seconds from the beginning until it was first so. */
function useSecondsUntil(isSo: boolean, beganAt: number): number {
  const [seconds, setSeconds] = useState<number | null>(null);
  if (isSo && seconds === null) setSeconds((Date.now() - beganAt) / 1000);
  return seconds ?? 0;
}

function End({ title, project }: { title: string; project: Project }) {
  const texts = useTexts(uploadTexts);
  return (
    <Banner
      tone="ok"
      title={title}
      actions={
        <>
          {project.url !== null && (
            <LinkButton
              href={project.url}
              target="_blank"
              rel="noopener"
              variant="primary"
              icon={<ExternalLinkIcon />}
            >
              {texts.open}
            </LinkButton>
          )}
          <ToProject project={project} isPrimary={project.url === null} />
        </>
      }
    >
      {project.url === null ? undefined : <span className={styles.address}>{project.url}</span>}
    </Banner>
  );
}

function Off({ project, onStart, isStarting }: { project: Project; onStart(): void; isStarting: boolean }) {
  const texts = useTexts(uploadTexts);
  return (
    <Banner
      tone="info"
      title={texts.installedOff}
      actions={
        <>
          <Button variant="primary" icon={<PlayIcon />} isBusy={isStarting} onClick={onStart}>
            {texts.startIt}
          </Button>
          <ToProject project={project} />
        </>
      }
    />
  );
}

interface FailedProps {
  project: Project;
  stages: Stages;
  onAgain: (() => void) | undefined;
}

function Failed({ project, stages, onAgain }: FailedProps): ReactNode {
  const texts = useTexts(uploadTexts);
  const isInstall = stages.failedAt === "install";
  const isRefused = actionableOf(project).receiveCode !== null;
  return (
    <Banner
      tone="bad"
      role="alert"
      title={isInstall ? texts.failedAtInstall : texts.failedTitle}
      actions={
        <>
          {onAgain !== undefined && (
            <Button variant="primary" onClick={onAgain} {...(isRefused ? { why: texts.underWay } : {})}>
              {texts.sendAgain}
            </Button>
          )}
          <ToProject project={project} />
        </>
      }
    >
      {project.error !== null && <p>{project.error.message}</p>}
      <p>{isInstall ? texts.adviceInstall : texts.adviceStart}</p>
      {project.error !== null && (
        <p>
          <Link to="/help/$topic" params={{ topic: project.error.code }}>
            {texts.whatNow}
          </Link>
        </p>
      )}
    </Banner>
  );
}

function ToProject({ project, isPrimary = false }: { project: Project; isPrimary?: boolean }) {
  const texts = useTexts(uploadTexts);
  return (
    <Link
      to="/projects/$projectId"
      params={{ projectId: project.id }}
      className={buttonClass({ variant: isPrimary ? "primary" : "plain" })}
    >
      {texts.toProject}
    </Link>
  );
}
