/** Says why an archive is not accepted. */

/** Faults of one entry; its name follows. */
export const entryFaults = {
  notUtf8: "O nome não está em UTF-8",
  longPath: "O caminho é longo demais",
  deepPath: "O caminho tem pastas demais",
  longName: "O nome passa de 255 bytes",
  controlCharacter: "O nome tem um caractere de controle",
  absolutePath: "O caminho é absoluto",
  drive: "O caminho começa com a letra de um disco",
  climbingPath: 'O caminho tem uma parte ".."',
  emptyPart: 'O caminho tem uma parte vazia ou "."',
  link: "É um link",
  specialFile: "Não é arquivo nem pasta",
  sameName: "O mesmo nome aparece duas vezes",
  sameButForCase: "Dois nomes só diferem em maiúsculas ou na codificação dos acentos",
  fileAndFolder: "Um arquivo e uma pasta têm o mesmo nome",
};

export const archiveDetails = {
  sharedFault: (fault: string, name: string, other: string) => `${fault}: ${name} e ${other}.`,
  manyFiles: (most: number) => `Há mais de ${most} arquivos e pastas.`,
  largeFile: (name: string, bytes: number, most: number) =>
    `O arquivo ${name} tem ${bytes} bytes; o limite é ${most}.`,
  largeContent: (most: number) => `Os arquivos extraídos passam de ${most} bytes.`,
  wholeArchive: "o .zip inteiro",
  largeRatio: (what: string, most: number, packed: number, extracted: number) =>
    `Ao extrair, cresce mais de ${most} vezes: ${what} (de ${packed} para ${extracted} bytes).`,
};
