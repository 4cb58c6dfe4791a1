import { inBoth } from "./in-both.ts";

export const dropTexts = inBoth(
  {
    letGo: "Solte para enviar",
    unreadableDrop: "O navegador não deu acesso aos arquivos. Escolha a pasta pelo botão.",
  },
  {
    letGo: "Let go to upload",
    unreadableDrop: "The browser gave no access to the files. Choose the folder by the button.",
  },
);
