/** Lines that central adds to the file of a log. */

import type { logFileTexts as pt } from "../pt/log-file.ts";

export const logFileTexts: typeof pt = {
  gap: (lines) => (lines === 1 ? "[1 line was lost here]" : `[${lines} lines were lost here]`),
};
