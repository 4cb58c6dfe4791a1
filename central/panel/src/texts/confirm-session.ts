import { inBoth } from "./in-both.ts";

export const confirmSessionTexts = inBoth(
  {
    title: "Confirme que é você",
    intro: "Esta mudança pede a sua senha de novo. Vale por 15 minutos.",
    confirm: "Confirmar",
    cancel: "Cancelar",
    close: "Fechar",
  },
  {
    title: "Confirm that it is you",
    intro: "This change asks for your password again. It counts for 15 minutes.",
    confirm: "Confirm",
    cancel: "Cancel",
    close: "Close",
  },
);
