/** Names the files that a person downloads of a project. */

/** Derives a file's name that every system takes. */
export function fileNameOf(name: string): string {
  const plain = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^\w.-]+/g, "-")
    .replace(/^[-.]+|[-.]+$/g, "");
  return plain === "" ? "projeto" : plain;
}
