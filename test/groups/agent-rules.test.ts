/** Runs all other unit tests of the agent. */

import { importTests } from "./import-tests.ts";

importTests(
  "agent/src/*.test.ts",
  "agent/src/!(disk|host|install-cache|network|runtime|versions)/**/*.test.ts",
);
