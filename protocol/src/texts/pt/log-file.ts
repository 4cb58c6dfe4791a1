/** Lines that central adds to the file of a log. */

export const logFileTexts = {
  gap: (lines: number) => (lines === 1 ? "[1 linha se perdeu aqui]" : `[${lines} linhas se perderam aqui]`),
};
