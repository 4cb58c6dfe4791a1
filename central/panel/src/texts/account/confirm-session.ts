import { inBoth } from "../in-both.ts";

export const confirmSessionTexts = inBoth(
  {
    title: "Confirme que é você",
    intro: "Esta mudança pede a sua senha de novo. Vale por 15 minutos.",
    confirm: "Confirmar",
    usePasskey: "Usar a chave de acesso",
    passkeyFailed: "A chave de acesso não foi usada. Tente de novo, ou digite a senha.",
    cancel: "Cancelar",
    close: "Fechar",
  },
  {
    title: "Confirm that it is you",
    intro: "This change asks for your password again. It counts for 15 minutes.",
    confirm: "Confirm",
    usePasskey: "Use the passkey",
    passkeyFailed: "The passkey was not used. Try again, or type the password.",
    cancel: "Cancel",
    close: "Close",
  },
);
