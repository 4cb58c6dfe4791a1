/** Runs the unit tests of the agent that touch the machine: disks, processes, networks, files. */

import { importTests } from "./import-tests.ts";

importTests("agent/src/{disk,host,install-cache,network,runtime,versions}/**/*.test.ts");
