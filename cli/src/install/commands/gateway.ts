/** Carries out `install gateway` and `install uninstall gateway`. */

import type { InstallCommand } from "../command.ts";
import { installGateway, uninstallGateway } from "../gateway/install-gateway.ts";
import { joiningRequest } from "./ask-operator.ts";
import { showChecks, showNothingDone } from "./show-installed.ts";

export const gateway: InstallCommand = async (values, context) => {
  if (values.central === undefined) return null;
  const changed = await installGateway(context, await joiningRequest(values.central, values, context));
  if (changed === null) return showNothingDone(context);
  await showChecks(context);
  context.output.line(context.messages.install.farGatewayInstalled(changed > 0));
  return 0;
};

export const removeGateway: InstallCommand = async ({ purge }, context) => {
  await uninstallGateway(context, { purge });
  context.output.line(context.messages.install.gatewayUninstalled(purge));
  return 0;
};
