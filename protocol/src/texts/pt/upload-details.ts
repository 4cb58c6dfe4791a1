/** Texts that say why an upload's `svc.json`, or the files beside it, are refused. */

const jsonHints = {
  comment: " JSON não tem comentários.",
  trailing_comma: " Há uma vírgula a mais antes daí.",
  quotes: ' Textos e nomes vão entre aspas duplas retas: ".',
  unquoted: " Textos e nomes vão entre aspas duplas.",
  end: " O arquivo acaba antes da hora: falta fechar algo.",
  other: "",
};

export const uploadDetails = {
  notJson: (line: number, column: number, hint: keyof typeof jsonHints) =>
    `O svc.json não é um JSON válido: linha ${line}, coluna ${column}.${jsonHints[hint]}`,
  packageNotAllowed: (names: string) => `Campo: systemPackages (cada um deve ser um destes: ${names}).`,
  entryMissing: (path: string, similar: string) =>
    `${path} não está no .zip${similar === "" ? "" : `; há ${similar}`}.`,
  rootMissing: (path: string, similar: string) =>
    `A pasta ${path} não está no .zip${similar === "" ? "" : `; há ${similar}`}.`,
};
