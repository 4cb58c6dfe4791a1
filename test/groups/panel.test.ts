/** The panel as it is built and served, and in a browser. */

import { importTests } from "./import-tests.ts";

importTests("test/panel/*.test.ts");
