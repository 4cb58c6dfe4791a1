/** Makes the text of the file with the agent's settings, which systemd hands to it. */

import { agentSettings } from "../../start/setting-names.ts";
import { agentFiles } from "../places.ts";
import { settingLines, takeSettings } from "../take-settings.ts";

/** Settings that the first installation takes from the environment it is called in, without the prefix. */
export const agentSettingNames: readonly string[] = [...agentSettings, "LOG_LEVEL"];

/** Returns the agent's own settings of the environment; the agent counts an empty one as missing. */
export function ownSettings(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const taken = Object.entries(takeSettings(environment, agentSettingNames));
  return Object.fromEntries(taken.filter(([, value]) => value !== ""));
}

/** Returns the text of the file. `own` are the agent's own settings. */
export function agentSettingsText({
  centralUrl,
  hasAuthority,
  own,
}: {
  centralUrl: string;
  hasAuthority: boolean;
  own: Readonly<Record<string, string>>;
}): string {
  return `# Settings of the agent: docs/settings.md. After a change: systemctl restart tijolo-agent
${settingLines({
  TIJOLO_CENTRAL_URL: centralUrl,
  ...(hasAuthority ? { TIJOLO_CENTRAL_AUTHORITY_FILE: agentFiles.authority } : {}),
  TIJOLO_JOIN_TOKEN_FILE: agentFiles.joinToken,
  ...own,
})}`;
}
