/** The palette: any project, page or action by a few letters. Load it lazily. */

import { useNavigate, useParams } from "@tanstack/react-router";
import type { LiveProject } from "@tijolo/protocol/live";
import { useMemo, useState } from "react";
import { useSession } from "../../api/session.ts";
import { BoxIcon, CommandIcon, SignOutIcon } from "../../design/icons/icons.tsx";
import { useLive, useLiveProject } from "../../live/live-store.ts";
import { usePreferences } from "../../preferences/preferences.ts";
import { useTexts } from "../../texts/in-both.ts";
import { paletteTexts } from "../../texts/palette.ts";
import { projectTexts } from "../../texts/project/project.ts";
import { Palette, type PaletteItem } from "../../ui/overlays/palette.tsx";
import { useReasons } from "../project/project-actions.tsx";
import { useSignOut } from "../sign-out.ts";
import { choose, type PaletteSource } from "./palette-groups.ts";
import { choiceItems, helpItems, pageItems } from "./place-items.ts";
import { pagesOf, runsOf } from "./project-items.ts";

interface GoToProps {
  /** Text that was typed before the palette was loaded. */
  typedAhead: string;
  onClose: () => void;
  onShortcuts: () => void;
}

export function GoTo(props: GoToProps) {
  const { projectId = "" } = useParams({ strict: false });
  const live = useLiveProject(projectId);
  return live === undefined ? <Everything {...props} here={[]} /> : <InProject {...props} live={live} />;
}

/** What belongs to the project in view comes first. */
function InProject({ live, ...props }: GoToProps & { live: LiveProject }) {
  const navigate = useNavigate();
  const words = useTexts(projectTexts);
  const texts = useTexts(paletteTexts);
  const reasons = useReasons(live);
  const items = [...runsOf(live, { reasons, words }), ...pagesOf(live, { navigate, words })];
  const here = { key: "here", label: texts.groups.here(live.project.name), items, first: items.length };
  return <Everything {...props} here={[here]} />;
}

function Everything({ typedAhead, onClose, onShortcuts, here }: GoToProps & { here: PaletteSource[] }) {
  const texts = useTexts(paletteTexts);
  const [typed, setTyped] = useState<string | null>(null);
  const query = typed ?? typedAhead;
  const sources = [...here, ...useSources(onShortcuts)];
  const groups = choose(sources, query);
  return (
    <Palette
      onClose={onClose}
      title={texts.title}
      inputLabel={texts.input}
      resultsLabel={texts.results}
      query={query}
      onQuery={setTyped}
      groups={groups}
      emptySentence={texts.none(query)}
      closeWord={texts.close}
      hint={texts.hint}
    />
  );
}

function useSources(onShortcuts: () => void): PaletteSource[] {
  const texts = useTexts(paletteTexts);
  const words = useTexts(projectTexts);
  const navigate = useNavigate();
  const { language } = usePreferences();
  const isOperator = useSession()?.person.operatorRole != null;
  const projects = useLive((state) => state.projects);
  const signOut = useSignOut();
  const places = useMemo(() => {
    const parts = { navigate, language, isOperator };
    return { pages: pageItems(parts), help: helpItems(parts), choices: choiceItems(language) };
  }, [navigate, language, isOperator]);
  const ofProjects = useMemo(() => {
    const known = [...projects.values()].toSorted((one, other) =>
      one.project.name.localeCompare(other.project.name),
    );
    return {
      projects: known.map(({ project }) => ({
        key: project.id,
        label: project.name,
        detail: words.statuses[project.status],
        icon: BoxIcon,
        onSelect: () => void navigate({ to: "/projects/$projectId", params: { projectId: project.id } }),
      })),
      pages: known.flatMap((live) => pagesOf(live, { navigate, words, isNamed: true })),
    };
  }, [projects, navigate, words]);
  const actions: PaletteItem[] = [
    ...places.choices,
    { key: "shortcuts", label: texts.shortcuts, icon: CommandIcon, onSelect: onShortcuts },
    { key: "sign-out", label: texts.signOut, icon: SignOutIcon, onSelect: signOut },
  ];
  const { groups } = texts;
  return [
    { key: "projects", label: groups.projects, items: ofProjects.projects, first: 8 },
    { key: "pages", label: groups.pages, items: places.pages, first: 20 },
    { key: "actions", label: groups.actions, items: actions, first: 20 },
    { key: "project-pages", label: groups.projectPages, items: ofProjects.pages, first: 0 },
    { key: "help", label: groups.help, items: places.help, first: 0 },
  ];
}
