import { inBoth } from "../in-both.ts";

export const activityTexts = inBoth(
  {
    title: "Atividade",
    intro: "Quem fez o quê nesta conta, e de onde. Nunca mostra segredos.",
    when: "Quando",
    who: "Quem",
    what: "O quê",
    change: "Mudança",
    none: "Nada aconteceu ainda.",
    more: "Mostrar mais antigos",
    notYou: "Não reconhece algo? Em Segurança, “Não fui eu” protege a conta.",
  },
  {
    title: "Activity",
    intro: "Who did what in this account, and from where. It never shows secrets.",
    when: "When",
    who: "Who",
    what: "What",
    change: "Change",
    none: "Nothing has happened yet.",
    more: "Show older ones",
    notYou: "You do not recognise something? In Security, “It was not me” protects the account.",
  },
);
