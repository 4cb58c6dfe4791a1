import type { uploadDetails as pt } from "../pt/upload-details.ts";

const jsonHints = {
  comment: " JSON has no comments.",
  trailing_comma: " There is a comma too many before it.",
  quotes: ' Texts and names stand in straight double quotes: ".',
  unquoted: " Texts and names stand in double quotes.",
  end: " The file ends too early: something is not closed.",
  other: "",
};

export const uploadDetails: typeof pt = {
  notJson: (line, column, hint) =>
    `The svc.json is not valid JSON: line ${line}, column ${column}.${jsonHints[hint]}`,
  packageNotAllowed: (names) => `Field: systemPackages (each must be one of: ${names}).`,
  entryMissing: (path, similar) =>
    `${path} is not in the .zip${similar === "" ? "" : `; there is ${similar}`}.`,
  rootMissing: (path, similar) =>
    `The folder ${path} is not in the .zip${similar === "" ? "" : `; there is ${similar}`}.`,
};
