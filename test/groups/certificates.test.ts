/** The cluster tests of certificates. */

import { importTests } from "./import-tests.ts";

importTests("test/certificates/*.test.ts");
