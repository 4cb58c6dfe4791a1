import { inBoth } from "../in-both.ts";

export const preferencesTexts = inBoth(
  {
    title: "Idioma e tema",
    intro: "Vale para este navegador.",
    language: "Idioma",
    theme: "Tema",
    system: "O do sistema",
    light: "Claro",
    dark: "Escuro",
    keys: "Teclas de atalho de uma letra",
    keysHint: "Desligue se você usa a voz ou um leitor de tela. Ctrl K continua.",
  },
  {
    title: "Language and theme",
    intro: "It counts for this browser.",
    language: "Language",
    theme: "Theme",
    system: "The system's",
    light: "Light",
    dark: "Dark",
    keys: "Shortcuts of one key",
    keysHint: "Turn them off if you use your voice or a screen reader. Ctrl K stays.",
  },
);
