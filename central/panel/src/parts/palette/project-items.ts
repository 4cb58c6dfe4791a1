/** What the palette offers of a project: its pages, and to start, stop and restart it. */

import type { useNavigate } from "@tanstack/react-router";
import type { LiveProject } from "@tijolo/protocol/live";
import {
  ChartLineIcon,
  HistoryIcon,
  HomeIcon,
  KeyIcon,
  PlayIcon,
  RestartIcon,
  SettingsIcon,
  StopIcon,
  TerminalIcon,
} from "../../design/icons/icons.tsx";
import type { Texts } from "../../texts/in-both.ts";
import type { projectTexts } from "../../texts/project/project.ts";
import { tell } from "../../ui/overlays/toast-store.ts";
import type { PaletteItem } from "../../ui/overlays/palette.tsx";
import type { Run } from "../project/project-reasons.ts";
import { runProject } from "../project/run-project.ts";

type Navigate = ReturnType<typeof useNavigate>;
type Words = Texts<(typeof projectTexts)["pt"]>;

const pages = [
  { name: "overview", to: "/projects/$projectId", icon: HomeIcon },
  { name: "logs", to: "/projects/$projectId/logs", icon: TerminalIcon },
  { name: "metrics", to: "/projects/$projectId/metrics", icon: ChartLineIcon },
  { name: "versions", to: "/projects/$projectId/versions", icon: HistoryIcon },
  { name: "variables", to: "/projects/$projectId/variables", icon: KeyIcon },
  { name: "settings", to: "/projects/$projectId/settings", icon: SettingsIcon },
] as const;

const runs = { start: PlayIcon, stop: StopIcon, restart: RestartIcon };

/** `isNamed`: with the project's name, for a list with pages of several. */
export function pagesOf(
  { project }: LiveProject,
  { navigate, words, isNamed = false }: { navigate: Navigate; words: Words; isNamed?: boolean },
): PaletteItem[] {
  return pages.map(({ name, to, icon }) => ({
    key: `${project.id}-${name}`,
    label: isNamed ? `${project.name}: ${words[name]}` : words[name],
    icon,
    onSelect: () => void navigate({ to, params: { projectId: project.id } }),
  }));
}

/** `reasons`: of each action why it cannot be taken now, or null. */
export function runsOf(
  { project }: LiveProject,
  { reasons, words }: { reasons: Record<Run, string | null>; words: Words },
): PaletteItem[] {
  return (["start", "stop", "restart"] as const).map((run) => ({
    key: `${project.id}-${run}`,
    label: words[run],
    icon: runs[run],
    why: reasons[run] ?? undefined,
    onSelect: () => void runAndTell(project.id, run),
  }));
}

async function runAndTell(projectId: string, run: Run): Promise<void> {
  const refused = await runProject(projectId, run);
  if (refused !== null) tell({ tone: "bad", text: refused.message });
}
