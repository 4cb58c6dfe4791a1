/** Runs the unit tests of protocol and cli. */

import { importTests } from "./import-tests.ts";

importTests("protocol/{src,kit}/**/*.test.ts", "cli/{src,release}/**/*.test.ts");
