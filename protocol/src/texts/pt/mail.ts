/** Says what mails say: the Portuguese text first, the English below it, under one subject. */

/** A paragraph, or an address that stands alone. */
export type MailParagraph = string | { link: string };

export const mailSubjects = {
  passwordReset: "Trocar a senha da sua conta Tijolo",
  confirmSignUp: "Confirmar seu cadastro no Tijolo",
  alreadySignedUp: "Você já tem uma conta Tijolo",
  newSignIn: "Nova entrada na sua conta Tijolo",
  notice: "Aviso da sua conta Tijolo",
};

export const mailTexts = {
  passwordReset: (link: string): MailParagraph[] => [
    "Olá.",
    "Recebemos um pedido para trocar a senha da sua conta. O link vale por 1 hora e só uma vez; ao trocar a senha, todas as sessões, chaves de API e chaves de acesso (passkeys) terminam.",
    { link },
    `No terminal: tijolo password reset '${link}'`,
    "Se não foi você, ignore esta mensagem: nada muda.",
  ],
  confirmSignUp: (link: string): MailParagraph[] => [
    "Olá.",
    "Alguém se cadastrou com este e-mail. Para criar a conta, abra o link; ele vale por 24 horas e só uma vez.",
    { link },
    `No terminal: tijolo confirm '${link}'`,
    "Se não foi você, ignore esta mensagem: nenhuma conta é criada.",
  ],
  alreadySignedUp: (link: string): MailParagraph[] => [
    "Olá.",
    "Alguém quis se cadastrar com este e-mail, que já tem uma conta. Entre com a sua senha; se a esqueceu, peça outra aqui:",
    { link },
    "Se não foi você, ignore esta mensagem: nada muda.",
  ],
  newSignIn: ({ place, link }: { place: string; link: string }): MailParagraph[] => [
    "Olá.",
    `Alguém entrou na sua conta de um lugar que não conhecíamos: ${place}.`,
    "Se foi você, não precisa fazer nada. Se não foi, abra o link: ele encerra todas as sessões, revoga todas as chaves de API, remove todas as chaves de acesso (passkeys) e faz a senha atual parar de valer.",
    { link },
    `No terminal: tijolo not-me '${link}'`,
  ],
  notice: ({ title, message }: { title: string; message: string }): MailParagraph[] => [
    `${title}.`,
    message,
    "Veja os avisos com tijolo notices; escolha os que vêm por e-mail com tijolo notices channels set.",
  ],
};
