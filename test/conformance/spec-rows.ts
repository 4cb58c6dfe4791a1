/**
 * Every row of the interface specification, in its order and its words: each is shown by a case, or says
 * where or when it is.
 */

import { authenticationRows } from "./rows/authentication.ts";
import { endpointsRows } from "./rows/endpoints.ts";
import { errorsRows } from "./rows/errors.ts";
import { languageRows } from "./rows/language.ts";
import { limitsRows } from "./rows/limits.ts";
import { overviewRows } from "./rows/overview.ts";
import { projectRows } from "./rows/project.ts";
import { settingsRows } from "./rows/settings.ts";
import { statesRows } from "./rows/states.ts";

export const specRows = {
  ...overviewRows,
  ...projectRows,
  ...languageRows,
  ...statesRows,
  ...endpointsRows,
  ...settingsRows,
  ...authenticationRows,
  ...errorsRows,
  ...limitsRows,
};

export type RowId = keyof typeof specRows;

export const rowIds = Object.keys(specRows).filter((id): id is RowId => Object.hasOwn(specRows, id));
