/** Carries out `install all`: a whole cluster on this machine. */

import type { InstallCommand } from "../command.ts";
import { installAll } from "../install-all.ts";
import { joiningRequest, nameCluster } from "./ask-operator.ts";
import { showCentral, showChecks, showNothingDone } from "./show-installed.ts";

export const all: InstallCommand = async (values, context) => {
  const { confirm } = await joiningRequest("", values, context);
  const changed = await installAll({
    ...context,
    environment: process.env,
    hasGateway: true,
    nameCluster: () => nameCluster(values, context),
    confirm,
  });
  if (changed === null) return showNothingDone(context);
  await showChecks(context);
  await showCentral(changed > 0, { hasGateway: true }, context);
  return 0;
};
