/** The cluster tests of accounts, people, operators and keys. */

import { importTests } from "./import-tests.ts";

importTests("test/accounts/*.test.ts");
