/** `pnpm check`: types, lint and format. */

import { checks, runSteps } from "./steps.ts";

process.exitCode = await runSteps(checks);
