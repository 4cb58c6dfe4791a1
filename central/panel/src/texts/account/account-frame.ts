import { inBoth } from "../in-both.ts";

export const accountFrameTexts = inBoth(
  {
    label: "Páginas da conta",
    usage: "Plano e uso",
    keys: "Chaves de API",
    security: "Segurança",
    activity: "Atividade",
    preferences: "Idioma e tema",
  },
  {
    label: "Pages of the account",
    usage: "Plan and usage",
    keys: "API keys",
    security: "Security",
    activity: "Activity",
    preferences: "Language and theme",
  },
);
