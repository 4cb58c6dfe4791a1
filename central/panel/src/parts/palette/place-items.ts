/** What the palette offers beside projects: every page, the help on each code, and choices of this browser. */

import type { useNavigate } from "@tanstack/react-router";
import { errors } from "virtual:errors";
import {
  ActivityIcon,
  BellIcon,
  GlobeIcon,
  HelpIcon,
  HomeIcon,
  KeyIcon,
  PlusIcon,
  ServerIcon,
  SettingsIcon,
  ShieldCheckIcon,
  SunIcon,
  UserIcon,
} from "../../design/icons/icons.tsx";
import { languages, setPreferences, themes, type Language } from "../../preferences/preferences.ts";
import { accountFrameTexts } from "../../texts/account/account-frame.ts";
import { frameTexts } from "../../texts/frame.ts";
import { exitTexts } from "../../texts/project/exits.ts";
import { projectErrorTexts } from "../../texts/help.ts";
import { paletteTexts } from "../../texts/palette.ts";
import type { PaletteItem } from "../../ui/overlays/palette.tsx";

type Navigate = ReturnType<typeof useNavigate>;

interface PlaceParts {
  navigate: Navigate;
  language: Language;
  isOperator: boolean;
}

const clusterPages = {
  hosts: "/cluster",
  accounts: "/cluster/accounts",
  images: "/cluster/images",
  operators: "/cluster/operators",
  secrets: "/cluster/secrets",
  orphans: "/cluster/orphans",
  announcements: "/cluster/announcements",
  audit: "/cluster/audit",
} as const;

export function pageItems({ navigate, language, isOperator }: PlaceParts): PaletteItem[] {
  const texts = frameTexts[language];
  const account = accountFrameTexts[language];
  const { cluster, newProject } = paletteTexts[language];
  const inAccount = (word: string) => `${texts.account}: ${word}`;
  const places = [
    { to: "/", label: texts.projects, icon: HomeIcon },
    { to: "/new", label: newProject, icon: PlusIcon },
    { to: "/notices", label: texts.notices, icon: BellIcon },
    { to: "/account", label: inAccount(account.usage), icon: UserIcon },
    { to: "/account/keys", label: inAccount(account.keys), icon: KeyIcon },
    { to: "/account/security", label: inAccount(account.security), icon: ShieldCheckIcon },
    { to: "/account/activity", label: inAccount(account.activity), icon: ActivityIcon },
    { to: "/account/preferences", label: inAccount(account.preferences), icon: SettingsIcon },
    { to: "/help", label: texts.help, icon: HelpIcon },
  ] as const;
  const ofOperators = isOperator
    ? Object.entries(clusterPages).map(([name, to]) => ({
        to,
        label: cluster[name as keyof typeof clusterPages],
        icon: ServerIcon,
      }))
    : [];
  return [...places, ...ofOperators].map(({ to, label, icon }) => ({
    key: to,
    label,
    icon,
    onSelect: () => void navigate({ to }),
  }));
}

/** Languages and themes, each acting at once. */
export function choiceItems(language: Language): PaletteItem[] {
  const texts = paletteTexts[language];
  return [
    ...languages.map((name) => ({
      key: `language-${name}`,
      label: texts.language[name],
      icon: GlobeIcon,
      onSelect: () => setPreferences({ language: name }),
    })),
    ...themes.map((name) => ({
      key: `theme-${name}`,
      label: texts.theme[name],
      icon: SunIcon,
      onSelect: () => setPreferences({ theme: name }),
    })),
  ];
}

export function helpItems({ navigate, language }: PlaceParts): PaletteItem[] {
  const texts = paletteTexts[language];
  const topics = [
    ...Object.entries(projectErrorTexts[language]).map(([code, detail]) => ({
      topic: code,
      label: code,
      detail,
    })),
    ...Object.entries(exitTexts[language]).map(([code, detail]) => ({
      topic: `exit-${code}`,
      label: texts.exitCode(code),
      detail,
    })),
    ...Object.entries(errors).map(([code, error]) => ({ topic: code, label: code, detail: error[language] })),
  ];
  const seen = new Set<string>();
  return topics
    .filter(({ topic }) => !seen.has(topic) && seen.add(topic))
    .map(({ topic, label, detail }) => ({
      key: `help-${topic}`,
      label,
      detail,
      icon: HelpIcon,
      onSelect: () => void navigate({ to: "/help/$topic", params: { topic } }),
    }));
}
