import { inBoth } from "./in-both.ts";

export const activityTexts = inBoth(
  {
    title: "Atividade",
    intro: "Quem fez o quê nesta conta, e de onde. Nunca mostra segredos.",
    when: "Quando",
    who: "Quem",
    what: "O quê",
    where: "De onde",
    change: "Mudança",
    none: "Nada aconteceu ainda.",
    more: "Mostrar mais antigos",
    isLast: "Não há mais antigos.",
    notYou: "Não reconhece algo? Em Segurança, “Não fui eu” protege a conta.",
  },
  {
    title: "Activity",
    intro: "Who did what in this account, and from where. It never shows secrets.",
    when: "When",
    who: "Who",
    what: "What",
    where: "From where",
    change: "Change",
    none: "Nothing has happened yet.",
    more: "Show older ones",
    isLast: "There are no older ones.",
    notYou: "You do not recognise something? In Security, “It was not me” protects the account.",
  },
);
