/** The cluster tests of the contract, the documents and the rules of the code. */

import { importTests } from "./import-tests.ts";

importTests("test/contract/*.test.ts");
