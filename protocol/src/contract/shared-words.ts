/** Texts of the fields that mean the same in every schema of the API description that has them. */

import type { Words } from "../values/words.ts";

export const sharedWords = {
  id: { pt: "Id.", en: "Id." },
  name: { pt: "Nome.", en: "Name." },
  at: { pt: "Quando.", en: "When." },
  createdAt: { pt: "Quando foi criado.", en: "When it was created." },
  limit: { pt: "O máximo.", en: "The maximum." },
  used: { pt: "Em uso.", en: "In use." },
  cursor: { pt: "O `nextCursor` da página anterior.", en: "The `nextCursor` of the previous page." },
  nextCursor: {
    pt: "Cursor da próxima página; null no fim.",
    en: "The cursor of the next page; null at the end.",
  },
  project: { pt: "O projeto.", en: "The project." },
  projects: { pt: "Os projetos.", en: "The projects." },
  account: { pt: "A conta.", en: "The account." },
  hosts: { pt: "As máquinas.", en: "The machines." },
  session: { pt: "A sessão.", en: "The session." },
  variables: { pt: "Nome e valor de cada variável.", en: "The name and the value of each variable." },
  isRestartRequired: {
    pt: "Se a mudança espera o próximo início.",
    en: "Whether the change waits for the next start.",
  },
  token: { pt: "O que veio no link.", en: "What came in the link." },
  email: { pt: "E-mail.", en: "E-mail address." },
  password: { pt: "Senha.", en: "Password." },
  recoveryCodes: {
    pt: "Códigos de recuperação. Guarde agora: não aparecem outra vez.",
    en: "Recovery codes. Store them now: they are not shown again.",
  },
  memoryInUse: {
    pt: "Memória em uso, em MB, sem o cache de arquivos que o sistema devolve.",
    en: "Memory in use, in MB, without the cache of files that the system gives back.",
  },
  cpuInUse: {
    pt: "Uso do processador; 100 é um núcleo inteiro.",
    en: "Processor in use; 100 is one full core.",
  },
  networkInBps: { pt: "Bytes recebidos por segundo.", en: "Bytes received per second." },
  networkOutBps: { pt: "Bytes enviados por segundo.", en: "Bytes sent per second." },
} as const satisfies Readonly<Record<string, Words>>;
