import { inBoth } from "../in-both.ts";

export const securityTexts = inBoth(
  {
    title: "Segurança",
    intro: "Como você entra, e onde a sua conta está aberta agora.",
    cancel: "Cancelar",
    close: "Fechar",
    wantsPassword: "Confirme com a sua senha.",

    sessions: "Onde você entrou",
    sessionsIntro: "Cada navegador em que a conta está aberta. Encerre o que não reconhece.",
    browserOn: (browser: string, system: string) => `${browser} no ${system}`,
    someBrowser: "Um navegador que não se identifica",
    thisOne: "Esta sessão",
    browser: "Navegador",
    address: "Endereço",
    since: "Desde",
    until: "Vence",
    unknownAddress: "desconhecido",
    end: "Encerrar",
    endOne: (browser: string, since: string) => `Encerrar a sessão de ${browser}, desde ${since}`,
    ended: (browser: string) => `Sessão de ${browser} encerrada.`,
    endOthers: "Encerrar as outras",
    endOthersTitle: "Encerrar as outras sessões?",
    endOthersText: "Só este navegador continua com a conta aberta. Nos outros, é preciso entrar de novo.",
    othersEnded: (count: number) =>
      count === 1 ? "A outra sessão foi encerrada." : `As outras ${count} sessões foram encerradas.`,
    noOthers: "Esta é a única sessão aberta.",

    password: "Senha",
    passwordIntro: "Trocar a senha encerra as outras sessões. Esta continua, e as chaves de API também.",
    currentPassword: "Senha de agora",
    changePassword: "Trocar a senha",
    passwordChanged: "Senha trocada. As outras sessões foram encerradas.",

    notMe: "Não fui eu",
    notMeIntro:
      "Para quando alguém entrou na conta sem ser você. Encerra todas as sessões, também esta; revoga as chaves de API; remove as chaves de acesso; e cancela a senha. Os projetos continuam no ar.",
    notMeMail: "Depois, escolha uma senha nova por “Esqueci a senha”: o link vai para o seu e-mail.",
    notMeNoMail:
      "Depois, peça a quem opera este serviço um link para uma senha nova: aqui não há envio de e-mail.",
    notMeButton: "Não fui eu: proteger a conta",
    notMeQuestion: "Proteger a conta agora?",
  },
  {
    title: "Security",
    intro: "How you sign in, and where your account is open now.",
    cancel: "Cancel",
    close: "Close",
    wantsPassword: "Confirm with your password.",

    sessions: "Where you are signed in",
    sessionsIntro: "Each browser in which the account is open. End what you do not recognise.",
    browserOn: (browser, system) => `${browser} on ${system}`,
    someBrowser: "A browser that does not say what it is",
    thisOne: "This session",
    browser: "Browser",
    address: "Address",
    since: "Since",
    until: "Expires",
    unknownAddress: "unknown",
    end: "End",
    endOne: (browser, since) => `End the session of ${browser}, since ${since}`,
    ended: (browser) => `The session of ${browser} has ended.`,
    endOthers: "End the others",
    endOthersTitle: "End the other sessions?",
    endOthersText: "Only this browser keeps the account open. In the others you have to sign in again.",
    othersEnded: (count) =>
      count === 1 ? "The other session has ended." : `The other ${count} sessions have ended.`,
    noOthers: "This is the only open session.",

    password: "Password",
    passwordIntro: "A new password ends the other sessions. This one goes on, and so do the API keys.",
    currentPassword: "Current password",
    changePassword: "Change the password",
    passwordChanged: "Password changed. The other sessions have ended.",

    notMe: "It was not me",
    notMeIntro:
      "For when somebody other than you got into the account. It ends all sessions, this one too; revokes the API keys; removes the passkeys; and cancels the password. The projects stay up.",
    notMeMail: "Then choose a new password by “I forgot my password”: the link goes to your mail.",
    notMeNoMail: "Then ask whoever runs this service for a link for a new password: no mail is sent here.",
    notMeButton: "It was not me: protect the account",
    notMeQuestion: "Protect the account now?",
  },
);
