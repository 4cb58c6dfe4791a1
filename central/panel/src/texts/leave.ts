import { inBoth } from "./in-both.ts";

export const leaveTexts = inBoth(
  {
    question: "Há mudanças que não foram salvas. Sair sem elas?",
    upload: "O envio não terminou. Sair e cancelar o envio?",
  },
  {
    question: "There are changes that are not saved. Leave without them?",
    upload: "The upload has not ended. Leave and cancel it?",
  },
);
