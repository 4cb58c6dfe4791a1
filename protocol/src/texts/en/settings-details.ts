import type { settingsDetails as pt } from "../pt/settings-details.ts";

export const settingsDetails: typeof pt = {
  staticIsSite: "A static project is always a site.",
  botHasNoPort: "A bot has no port.",
  botHasNoSubdomain: "A bot has no subdomain.",
  leastMemory: (minimumMb) => `The minimum for this project is ${minimumMb} MB.`,
  staticHasNoCommand: "A static project has no command.",
  staticHasNoEntry: "A static project has no entry file; use root.",
  staticHasNoPackages: "A static project uses no system packages.",
  staticHasNoProcess:
    "A static project has no process: healthPath, drainSeconds and protocol mean nothing there.",
  http2HasNoHealthPath: "healthPath is asked for over HTTP/1.1: it means nothing with protocol h2c.",
  onlyStaticIsSpa: "Only static projects have spa: a program answers each address itself.",
  onlyStaticHasRoot: "Only static projects have root.",
};
