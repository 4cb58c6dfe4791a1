/** All that a row of the list leads to. The menu itself is loaded when it is about to be opened. */

import { Link } from "@tanstack/react-router";
import type { LiveProject } from "@tijolo/protocol/live";
import { lazy, Suspense, useState } from "react";
import {
  ChartLineIcon,
  EllipsisIcon,
  ExternalLinkIcon,
  KeyIcon,
  SettingsIcon,
  TerminalIcon,
  UploadIcon,
} from "../../design/icons/icons.tsx";
import { useTexts } from "../../texts/in-both.ts";
import { projectTexts } from "../../texts/project/project.ts";
import { IconButton } from "../../ui/actions/icon-button.tsx";
import { runIcons, useReasons } from "./project-actions.tsx";
import { runs } from "./project-reasons.ts";
import { runProject } from "./run-project.ts";

const Menu = lazy(async () => ({ default: (await import("../../ui/overlays/menu.tsx")).Menu }));

interface ProjectMenuProps {
  live: LiveProject;
  onRefused: (error: Error | null) => void;
}

export function ProjectMenu({ live, onRefused }: ProjectMenuProps) {
  const texts = useTexts(projectTexts);
  const [isWanted, setWanted] = useState(false);
  const want = () => setWanted(true);
  const label = texts.more(live.project.name);
  const trigger = (
    <IconButton label={label} icon={EllipsisIcon} onPointerEnter={want} onFocus={want} onClick={want} />
  );
  if (!isWanted) return trigger;
  return (
    <Suspense fallback={trigger}>
      <LoadedMenu live={live} onRefused={onRefused} />
    </Suspense>
  );
}

function LoadedMenu({ live, onRefused }: ProjectMenuProps) {
  const texts = useTexts(projectTexts);
  const reasons = useReasons(live);
  const { id, name, url } = live.project;
  const params = { projectId: id };
  return (
    <Menu
      label={texts.more(name)}
      heading={name}
      items={[
        ...(url === null
          ? []
          : [
              {
                key: "open",
                label: texts.open,
                icon: ExternalLinkIcon,
                // oxlint-disable-next-line jsx-a11y/anchor-has-content -- the menu gives it its content
                link: <a href={url} target="_blank" rel="noreferrer" />,
              },
            ]),
        ...runs.map((run) => ({
          key: run,
          label: texts[run],
          icon: runIcons[run],
          why: reasons[run] ?? undefined,
          onSelect: () => void runProject(id, run).then(onRefused),
        })),
        {
          key: "logs",
          label: texts.logs,
          icon: TerminalIcon,
          isApart: true,
          link: <Link to="/projects/$projectId/logs" params={params} />,
        },
        {
          key: "metrics",
          label: texts.metrics,
          icon: ChartLineIcon,
          link: <Link to="/projects/$projectId/metrics" params={params} />,
        },
        {
          key: "versions",
          label: texts.versions,
          icon: UploadIcon,
          link: <Link to="/projects/$projectId/versions" params={params} />,
        },
        {
          key: "variables",
          label: texts.variables,
          icon: KeyIcon,
          link: <Link to="/projects/$projectId/variables" params={params} />,
        },
        {
          key: "settings",
          label: texts.settings,
          icon: SettingsIcon,
          link: <Link to="/projects/$projectId/settings" params={params} />,
        },
      ]}
    />
  );
}
