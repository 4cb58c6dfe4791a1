import { inBoth } from "./in-both.ts";

export const clusterAuditTexts = inBoth(
  {
    title: "Auditoria",
    intro: "O que os operadores mudaram, do mais novo ao mais antigo. Fica guardado por 180 dias.",
    none: "Nenhum operador mudou nada ainda.",
    what: "O quê",
    subject: "Em",
    who: "Quem",
    change: "Mudança",
    where: "De onde",
    when: "Quando",
  },
  {
    title: "Audit",
    intro: "What operators changed, the newest first. It is kept for 180 days.",
    none: "No operator has changed anything yet.",
    what: "What",
    subject: "Of",
    who: "Who",
    change: "Change",
    where: "From",
    when: "When",
  },
);
