/** Carries out `install host`, and `install uninstall host`, which is `tijolo-agent uninstall` as well. */

import type { InstallCommand } from "../command.ts";
import { installHost } from "../host/install-host.ts";
import { uninstallHost } from "../host/uninstall-host.ts";
import { joiningRequest } from "./ask-operator.ts";
import { showChecks, showNothingDone } from "./show-installed.ts";

export const host: InstallCommand = async (values, context) => {
  if (values.central === undefined) return null;
  const changed = await installHost(context, await joiningRequest(values.central, values, context));
  if (changed === null) return showNothingDone(context);
  await showChecks(context);
  context.output.line(context.messages.install.hostInstalled(changed > 0));
  return 0;
};

export const removeHost: InstallCommand = async (values, { output, messages: { install: texts } }) => {
  const { purge, "with-projects": withProjects } = values;
  await uninstallHost({ purge, withProjects, refusal: texts.hasProjects });
  output.line(texts.hostUninstalled(purge));
  return 0;
};
