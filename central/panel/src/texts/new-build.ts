import { inBoth } from "./in-both.ts";

export const newBuildTexts = inBoth(
  { title: "Há uma versão nova do painel.", update: "Atualizar" },
  { title: "There is a new version of the panel.", update: "Update" },
);
