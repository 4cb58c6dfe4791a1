/** Says what mails say: the Portuguese text first, the English below it, under one subject. */

/** A paragraph, or an address that stands alone. */
export type MailParagraph = string | { link: string };

export const mailSubjects = {
  passwordReset: "Trocar a senha da sua conta Tijolo",
  newSignIn: "Nova entrada na sua conta Tijolo",
  notice: "Aviso da sua conta Tijolo",
};

export const mailTexts = {
  passwordReset: (link: string): MailParagraph[] => [
    "Olá.",
    "Recebemos um pedido para trocar a senha da sua conta. O link vale por 1 hora e só uma vez; ao trocar a senha, todas as sessões e chaves de API terminam.",
    { link },
    `No terminal: tijolo password reset '${link}'`,
    "Se não foi você, ignore esta mensagem: nada muda.",
  ],
  newSignIn: ({ place, link }: { place: string; link: string }): MailParagraph[] => [
    "Olá.",
    `Alguém entrou na sua conta de um lugar que não conhecíamos: ${place}.`,
    "Se foi você, não precisa fazer nada. Se não foi, abra o link: ele encerra todas as sessões, revoga todas as chaves de API e faz a senha atual parar de valer.",
    { link },
    `No terminal: tijolo not-me '${link}'`,
  ],
  notice: ({ title, message }: { title: string; message: string }): MailParagraph[] => [
    `${title}.`,
    message,
    "Veja os avisos com tijolo notices; escolha os que vêm por e-mail com tijolo notices channels set.",
  ],
};
