import { inBoth } from "../in-both.ts";

export const clusterAuditTexts = inBoth(
  {
    title: "Auditoria",
    intro: "O que os operadores mudaram, do mais novo ao mais antigo. Fica guardado por 180 dias.",
    none: "Nenhum operador mudou nada ainda.",
    what: "O quê",
    who: "Quem",
    change: "Mudança",
    when: "Quando",
  },
  {
    title: "Audit",
    intro: "What operators changed, the newest first. It is kept for 180 days.",
    none: "No operator has changed anything yet.",
    what: "What",
    who: "Who",
    change: "Change",
    when: "When",
  },
);
