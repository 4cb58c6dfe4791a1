/** The rows of the list. Only those in sight are in the document: an account may have hundreds. */

import { Link } from "@tanstack/react-router";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import type { LiveProject } from "@tijolo/protocol/live";
import { useLayoutEffect, useMemo, useRef, useState } from "react";
import { useRead } from "../../api/use-read.ts";
import { megabytes, percent } from "../../formats/formats.ts";
import { ProjectActions } from "../../parts/project/project-actions.tsx";
import { ProjectMenu } from "../../parts/project/project-menu.tsx";
import { useProjectReason } from "../../parts/project/project-reason.ts";
import { ProjectStatus } from "../../parts/project/project-status.tsx";
import { useTexts } from "../../texts/in-both.ts";
import { projectsTexts } from "../../texts/projects.ts";
import { Checkbox } from "../../ui/fields/checkbox.tsx";
import { Meter } from "../../ui/marks/meter.tsx";
import { Sparkline } from "../../ui/marks/sparkline.tsx";
import styles from "./project-list.module.css";

/** Milliseconds for which the sparklines count as new; what happens now is told by the meters. */
const sparklinesMs = 60_000;

interface ProjectListProps {
  projects: readonly LiveProject[];
  selected: ReadonlySet<string>;
  onSelected: (selected: ReadonlySet<string>) => void;
}

export function ProjectList({ projects, selected, onSelected }: ProjectListProps) {
  const texts = useTexts(projectsTexts);
  const list = useRef<HTMLUListElement>(null);
  const [offset, setOffset] = useState(0);
  useLayoutEffect(() => setOffset(list.current?.offsetTop ?? 0), []);
  const rows = useWindowVirtualizer({
    count: projects.length,
    estimateSize: () => 64,
    overscan: 8,
    scrollMargin: offset,
    getItemKey: (index) => projects[index]?.project.id ?? index,
  });
  const histories = useHistories();
  const toggle = (id: string, isOn: boolean) => {
    const next = new Set(selected);
    if (isOn) next.add(id);
    else next.delete(id);
    onSelected(next);
  };
  return (
    <ul ref={list} aria-label={texts.list} className={styles.list} style={{ height: rows.getTotalSize() }}>
      {rows.getVirtualItems().map(({ index, key, start }) => {
        const live = projects[index];
        if (live === undefined) return null;
        return (
          <li
            key={key}
            ref={rows.measureElement}
            data-index={index}
            aria-setsize={projects.length}
            aria-posinset={index + 1}
            className={styles.item}
            style={{ transform: `translateY(${start - offset}px)` }}
          >
            <Row
              live={live}
              history={histories.get(live.project.id)}
              isSelected={selected.has(live.project.id)}
              onSelected={(isOn) => toggle(live.project.id, isOn)}
            />
          </li>
        );
      })}
    </ul>
  );
}

/** Memory of the last hour by project. */
function useHistories(): ReadonlyMap<string, readonly (number | null)[]> {
  const { data } = useRead("getAccountMetrics", { query: { range: "1h" } }, { staleMs: sparklinesMs });
  return useMemo(() => new Map(data?.projects.map(({ id, memoryMb }) => [id, memoryMb])), [data]);
}

interface RowProps {
  live: LiveProject;
  history: readonly (number | null)[] | undefined;
  isSelected: boolean;
  onSelected: (isOn: boolean) => void;
}

function Row({ live, history, isSelected, onSelected }: RowProps) {
  const texts = useTexts(projectsTexts);
  const [refused, setRefused] = useState<Error | null>(null);
  const { project } = live;
  return (
    <div className={styles.row}>
      <Checkbox label={texts.select(project.name)} isLabelHidden checked={isSelected} onValue={onSelected} />
      <div className={styles.names}>
        <Link to="/projects/$projectId" params={{ projectId: project.id }} className={styles.name}>
          {project.name}
        </Link>
        <Reason live={live} />
      </div>
      <div className={styles.status}>
        <ProjectStatus live={live} />
      </div>
      <Usage live={live} />
      <div className={styles.history}>
        {history !== undefined && (
          <Sparkline values={history} max={project.memoryMb} label={texts.hourOf(project.name)} />
        )}
      </div>
      <div className={styles.actions}>
        <ProjectActions live={live} isSmall onRefused={setRefused} />
        <ProjectMenu live={live} onRefused={setRefused} />
      </div>
      {refused !== null && (
        <p role="alert" className={styles.refused}>
          {refused.message}
        </p>
      )}
    </div>
  );
}

function Reason({ live }: { live: LiveProject }) {
  const reason = useProjectReason(live);
  return (
    <span className={styles.reason} title={reason}>
      {reason}
    </span>
  );
}

function Usage({ live: { project } }: { live: LiveProject }) {
  const texts = useTexts(projectsTexts);
  const { usage, memoryMb } = project;
  const text = texts.of(usage === null ? "0 MB" : megabytes(usage.memoryMb), megabytes(memoryMb));
  return (
    <div className={styles.usage}>
      <span className={styles.numbers} aria-hidden="true">
        {text}
        {usage !== null && <> · {percent(usage.cpuPercent)}</>}
      </span>
      <Meter
        isBare
        label={`${texts.memory}: ${project.name}`}
        value={usage?.memoryMb ?? 0}
        max={memoryMb}
        text={text}
        tone={usage !== null && usage.memoryMb > memoryMb * 0.9 ? "warn" : "brick"}
      />
    </div>
  );
}
