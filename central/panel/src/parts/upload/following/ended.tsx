/** Says how an upload has ended, or what keeps it from its end, with the ways on from there. */

import { Link } from "@tanstack/react-router";
import { actionableOf } from "@tijolo/protocol/project";
import type { ReactNode } from "react";
import { useSiteLink } from "../../../api/site-link.ts";
import { ExternalLinkIcon, PlayIcon } from "../../../design/icons/icons.tsx";
import { megabytes } from "../../../formats/formats.ts";
import { exitTexts } from "../../../texts/project/exits.ts";
import { useTexts } from "../../../texts/in-both.ts";
import { projectReasonTexts } from "../../../texts/project/project-reason.ts";
import { uploadTexts } from "../../../texts/upload.ts";
import { Button, buttonClass } from "../../../ui/actions/button.tsx";
import { LinkButton } from "../../../ui/actions/link-button.tsx";
import { Banner } from "../../../ui/layout/banner.tsx";
import type { Project } from "../use-upload.ts";
import styles from "./coming-up.module.css";
import type { Stages } from "./stages.ts";

interface EndedProps {
  project: Project;
  stages: Stages;
  /** How long it took until it was up. */
  runningAfter: string;
  onAgain: (() => void) | undefined;
  onStart: () => void;
  isStarting: boolean;
}

export function Ended({ project, stages, runningAfter, onAgain, onStart, isStarting }: EndedProps) {
  const texts = useTexts(uploadTexts);
  return (
    <>
      <div role="status">
        {stages.end === "running" && <Up title={texts.runningAfter(runningAfter)} project={project} />}
        {stages.end === "off" && <Off project={project} onStart={onStart} isStarting={isStarting} />}
        {stages.end === "crashing" && <Crashing project={project} onAgain={onAgain} />}
        {stages.end === "silent" && <Silent project={project} onAgain={onAgain} />}
        {stages.end === null && stages.states.run === "now" && project.port !== null && (
          <p className={styles.note}>{texts.waitsForPort}</p>
        )}
      </div>
      {stages.end === "failed" && <Failed project={project} stages={stages} onAgain={onAgain} />}
    </>
  );
}

function Up({ title, project }: { title: string; project: Project }) {
  const texts = useTexts(uploadTexts);
  const siteLink = useSiteLink(project);
  return (
    <Banner
      tone="ok"
      title={title}
      actions={
        <>
          {siteLink !== null && (
            <LinkButton
              href={siteLink}
              target="_blank"
              rel="noopener"
              variant="primary"
              icon={<ExternalLinkIcon />}
            >
              {texts.open}
            </LinkButton>
          )}
          <ToProject project={project} isPrimary={siteLink === null} />
        </>
      }
    >
      {siteLink === null ? undefined : <span className={styles.address}>{siteLink}</span>}
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

interface TroubleProps {
  project: Project;
  stages: Pick<Stages, "failedAt">;
  onAgain: (() => void) | undefined;
}

function Failed({ project, stages, onAgain }: TroubleProps): ReactNode {
  const texts = useTexts(uploadTexts);
  const isInstall = stages.failedAt === "install";
  return (
    <Banner
      tone="bad"
      role="alert"
      title={isInstall ? texts.failedAtInstall : texts.failedTitle}
      actions={<WaysOn project={project} onAgain={onAgain} hasVariables={!isInstall} />}
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

/** It falls and comes back by itself, until it has fallen five times. */
function Crashing({ project, onAgain }: Omit<TroubleProps, "stages">) {
  const texts = useTexts(uploadTexts);
  const reasons = useTexts(projectReasonTexts);
  const exits: Record<string, string> = useTexts(exitTexts);
  const { consecutiveCrashes, lastExit, memoryMb } = project;
  const cause =
    lastExit?.isOutOfMemory === true ? texts.overMemory(megabytes(memoryMb)) : exits[String(lastExit?.code)];
  return (
    <Banner
      tone="warn"
      title={reasons.crashed(consecutiveCrashes)}
      actions={<WaysOn project={project} onAgain={onAgain} hasVariables />}
    >
      {cause !== undefined && <p>{cause}</p>}
      <p>{texts.adviceStart}</p>
    </Banner>
  );
}

/** It runs, and nobody can reach it. */
function Silent({ project, onAgain }: Omit<TroubleProps, "stages">) {
  const texts = useTexts(projectReasonTexts);
  return (
    <Banner
      tone="warn"
      title={texts.silentTitle(String(project.port))}
      actions={<WaysOn project={project} onAgain={onAgain} />}
    >
      <p>{texts.silentText}</p>
    </Banner>
  );
}

interface WaysOnProps {
  project: Project;
  onAgain: (() => void) | undefined;
  /** True where a variable that is missing may be the cause. */
  hasVariables?: boolean;
}

function WaysOn({ project, onAgain, hasVariables = false }: WaysOnProps) {
  const texts = useTexts(uploadTexts);
  const isRefused = actionableOf(project).receiveCode !== null;
  return (
    <>
      {onAgain !== undefined && (
        <Button variant="primary" onClick={onAgain} {...(isRefused ? { why: texts.underWay } : {})}>
          {texts.sendAgain}
        </Button>
      )}
      {hasVariables && (
        <Link
          to="/projects/$projectId/variables"
          params={{ projectId: project.id }}
          className={buttonClass()}
        >
          {texts.toVariables}
        </Link>
      )}
      <ToProject project={project} />
    </>
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
