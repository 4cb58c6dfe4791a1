/** The configuration of `npm start`, from environment variables, and what of it central and the agent get. */

import { join } from "node:path";

export interface StartConfig {
  dataDirectory: string;
  bootstrapFile: string;
  joinTokenFile: string;
  logsDirectory: string;
  /** Whole environments, so that neither program meets a variable of the other. */
  centralEnvironment: Record<string, string>;
  agentEnvironment: Record<string, string>;
}

const prefix = "TIJOLO_";
const centralSettings = ["LISTEN", "GATEWAY_LISTEN", "SITE_DOMAIN", "SITE_URL_PATTERN"];
const agentSettings = ["AGENT_NAME", "HOST_NAME", "NETWORK_CIDR", "UID_START", "IMAGES_DIRECTORY", "INSTALL_TIMEOUT_SECONDS"];
/** Of both programs, or of the command `tijolo`, which a person may have set in the same shell. */
const otherSettings = ["DATA_DIRECTORY", "LOG_LEVEL", "LANG", "URL", "KEY", "OPERATOR_TOKEN", "DEBUG"];

/** Throws with a sentence that names the variable. */
export function parseStartConfig(environment: Readonly<Record<string, string | undefined>>): StartConfig {
  const known = new Set([...centralSettings, ...agentSettings, ...otherSettings].map((name) => prefix + name));
  const unknown = Object.keys(environment).find((name) => name.startsWith(prefix) && !known.has(name));
  if (unknown !== undefined) throw new Error(`${unknown} is not a setting of npm start. Remove it, or check its spelling.`);
  const dataDirectory = environment["TIJOLO_DATA_DIRECTORY"] || "/var/lib/tijolo";
  if (!dataDirectory.startsWith("/"))
    throw new Error(`TIJOLO_DATA_DIRECTORY must be an absolute path, not ${JSON.stringify(dataDirectory)}.`);
  const bootstrapFile = join(dataDirectory, "central", "first-operator-token");
  const joinTokenFile = join(dataDirectory, "join-token");
  const common = pick(environment, (name) => !name.startsWith(prefix) || name === "TIJOLO_LOG_LEVEL");
  return {
    dataDirectory,
    bootstrapFile,
    joinTokenFile,
    logsDirectory: join(dataDirectory, "logs-of-services"),
    centralEnvironment: {
      ...common,
      ...pick(environment, (name) => centralSettings.includes(name.slice(prefix.length))),
      TIJOLO_DATA_DIRECTORY: join(dataDirectory, "central"),
      TIJOLO_BOOTSTRAP_FILE: bootstrapFile,
    },
    agentEnvironment: {
      ...common,
      ...pick(environment, (name) => agentSettings.includes(name.slice(prefix.length))),
      TIJOLO_DATA_DIRECTORY: join(dataDirectory, "agent"),
      TIJOLO_JOIN_TOKEN_FILE: joinTokenFile,
    },
  };
}

function pick(environment: Readonly<Record<string, string | undefined>>, isWanted: (name: string) => boolean): Record<string, string> {
  const wanted = Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined && isWanted(entry[0]));
  return Object.fromEntries(wanted);
}
