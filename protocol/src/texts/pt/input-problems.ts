/** Says which field of an input breaks its schema, and what would be right. */

export const inputProblems = {
  body: "Corpo",
  whole: (what: string, reason: string) => `${what}: ${reason}.`,
  field: (name: string) => `Campo: ${name}.`,
  fieldBecause: (name: string, reason: string) => `Campo: ${name} (${reason}).`,
  missing: "é obrigatório",
  unknown: "não existe aqui",
  mustBe: (what: string) => `deve ser ${what}`,
  types: {
    string: "um texto",
    number: "um número",
    int: "um número inteiro",
    boolean: "true ou false",
    array: "uma lista",
    object: "um objeto",
    record: "um objeto",
  },
  formats: {
    email: "deve ser um e-mail, como ana@exemplo.com",
    datetime: "deve ser uma data e hora em UTC, como 2026-01-31T12:00:00Z",
  },
  oneOf: (values: string) => `deve ser um destes: ${values}`,
  oneOfMany: "não é um dos valores aceitos, que /api/docs lista",
  atLeast: (amount: string) => `no mínimo ${amount}`,
  atMost: (amount: string) => `no máximo ${amount}`,
  units: { string: ["caractere", "caracteres"], array: ["item", "itens"] },
};
