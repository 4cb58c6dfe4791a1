/**
 * What an input breaks where a schema has a rule of its own: the Portuguese text is the schema's message, by
 * which the other is found.
 */

import type { Words } from "./app-error.ts";

export const inputReasons = {
  badId: {
    pt: "deve ser um id: 26 letras maiúsculas e números",
    en: "must be an id: 26 capital letters and digits",
  },
  badPageLimit: { pt: "deve ser um número inteiro de 1 a 200", en: "must be a whole number from 1 to 200" },
  badWholeNumber: { pt: "deve ser um número inteiro", en: "must be a whole number" },
  badPersonName: {
    pt: "de 1 a 80 caracteres, sem caracteres de controle",
    en: "1 to 80 characters, without control characters",
  },
  badOneTimeCode: { pt: "deve ter 6 números", en: "must be 6 digits" },
  noCode: { pt: "envie code ou recoveryCode", en: "send code or recoveryCode" },
  noScopes: {
    pt: "diga level (read ou write) ou ao menos uma permissão em scopes",
    en: "give level (read or write) or at least one of scopes",
  },
  beforeAndCursor: {
    pt: "não vem junto com cursor nem com o cabeçalho Last-Event-ID",
    en: "must not come together with cursor or the header Last-Event-ID",
  },
  noAccountOrEmail: { pt: "envie accountId ou email", en: "send accountId or email" },
  noImageVersion: {
    pt: "não existe esta versão de linguagem, ou ela não tem imagem",
    en: "there is no such language version, or it has no image",
  },
  noFields: { pt: "envie ao menos um campo", en: "send at least one field" },
  badImageReference: {
    pt: "deve ser uma imagem como o Docker a escreve: registry.exemplo/ruby:4.0",
    en: "must be an image as Docker writes it: registry.example/ruby:4.0",
  },
  notOneLine: {
    pt: "deve ser uma só linha, sem caracteres de controle",
    en: "must be one line without control characters",
  },
  controlCharacter: { pt: "contém caracteres de controle", en: "holds control characters" },
  noVisibleCharacter: {
    pt: "deve ter ao menos um caractere visível",
    en: "must have at least one visible character",
  },
  halfCharacter: { pt: "contém um caractere pela metade", en: "holds half a character" },
  nul: { pt: "contém NUL", en: "holds NUL" },
  absolutePath: {
    pt: "deve ser relativo à pasta do projeto",
    en: "must be relative to the project's folder",
  },
  pathOutside: { pt: "não pode sair da pasta do projeto", en: "must not lead out of the project's folder" },
  backslash: { pt: "usa / entre as pastas", en: "must have / between folders" },
  leadingHyphen: { pt: "não pode começar com -", en: "must not begin with -" },
  badVariableName: {
    pt: "usa letras, números e _, sem número no começo",
    en: "must be letters, digits and _, without a digit at its beginning",
  },
  reservedVariable: { pt: "é um nome do próprio serviço", en: "is a name of the service's own" },
} as const satisfies Record<string, Words>;

/** Undefined for a message that is none of ours. */
export function findInputReason(message: string): Words | undefined {
  return Object.values(inputReasons).find(({ pt }) => pt === message);
}
