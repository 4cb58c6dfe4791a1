/** Carries out `install central` and `install uninstall central`. */

import { installCentral } from "../central/install-central.ts";
import { uninstallCentral } from "../central/uninstall-central.ts";
import type { InstallCommand } from "../command.ts";
import { nameCluster } from "./ask-operator.ts";
import { showCentral, showChecks } from "./show-installed.ts";

export const central: InstallCommand = async (values, context) => {
  const hasGateway = !values["no-gateway"];
  const environment = await nameCluster(values, context);
  const changed = await installCentral({ ...context, environment, hasGateway });
  await showChecks(context);
  await showCentral(changed > 0, { hasGateway }, context);
  return 0;
};

export const removeCentral: InstallCommand = async ({ purge }, { output, messages }) => {
  await uninstallCentral({ purge });
  output.line(messages.install.centralUninstalled(purge));
  return 0;
};
