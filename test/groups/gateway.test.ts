/** The cluster tests of the gateway for sites. */

import { importTests } from "./import-tests.ts";

importTests("test/gateway/*.test.ts");
