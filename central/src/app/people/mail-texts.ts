/**
 * What mails say: in Portuguese, with the English below. No name: whoever signs up with your e-mail would
 * choose it.
 */

import type { Message } from "./mail.ts";

export function passwordResetMail({ to, link }: { to: string; link: string }): Message {
  return compose(to, "Trocar a senha da sua conta Tijolo", [
    "Olá.",
    "Recebemos um pedido para trocar a senha da sua conta. O link vale por 1 hora e só uma vez; ao trocar a senha, todas as sessões e chaves de API terminam.",
    { link },
    `No terminal: tijolo password reset '${link}'`,
    "Se não foi você, ignore esta mensagem: nada muda.",
    'Hello. Somebody asked to change your account\'s password. The link above, also as "tijolo password reset" with it in a terminal, works for 1 hour and only once; all sessions and API keys end with the change. If it was not you, ignore this message.',
  ]);
}

export function newSignInMail(event: {
  to: string;
  client: { address: string; userAgent: string };
  at: number;
  link: string;
}): Message {
  const { to, client, link } = event;
  const place = `${new Date(event.at).toISOString()}, ${client.address}, ${client.userAgent || "?"}`;
  return compose(to, "Nova entrada na sua conta Tijolo", [
    "Olá.",
    `Alguém entrou na sua conta de um lugar que não conhecíamos: ${place}.`,
    "Se foi você, não precisa fazer nada. Se não foi, abra o link: ele encerra todas as sessões, revoga todas as chaves de API e faz a senha atual parar de valer.",
    { link },
    `No terminal: tijolo not-me '${link}'`,
    `Hello. Somebody signed in to your account from a place that we did not know: ${place}. If it was not you, open the link above, or give it to "tijolo not-me" in a terminal: it ends all sessions, revokes all API keys, and makes the present password stop working.`,
  ]);
}

type Paragraph = string | { link: string };

function compose(to: string, subject: string, paragraphs: readonly Paragraph[]): Message {
  const text = paragraphs
    .map((paragraph) => (typeof paragraph === "string" ? paragraph : paragraph.link))
    .join("\n\n");
  const html = paragraphs
    .map((paragraph) => {
      if (typeof paragraph === "string") return `<p>${escape(paragraph)}</p>`;
      return `<p><a href="${escape(paragraph.link)}">${escape(paragraph.link)}</a></p>`;
    })
    .join("\n");
  return { to, subject, text: `${text}\n`, html };
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
