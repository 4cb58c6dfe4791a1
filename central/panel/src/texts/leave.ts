import { inBoth } from "./in-both.ts";

export const leaveTexts = inBoth(
  { question: "Há mudanças que não foram salvas. Sair sem elas?" },
  { question: "There are changes that are not saved. Leave without them?" },
);
