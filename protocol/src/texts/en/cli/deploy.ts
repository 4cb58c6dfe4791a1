import type { deploy as pt } from "../../pt/cli/deploy.ts";

export const deploy: typeof pt = {
  texts: {
    goesOn: "The deploy goes on without this command. Follow it with tijolo status and tijolo logs -f.",
    startsStopped: (name) => `${name} was stopped; starting it with the new code.`,
    staysStopped: "The code is installed. To start it: tijolo start",
    didNotComeUp: (name) => `${name} did not come up.`,
    versionDidNotComeUp: (version, reason) => `Version ${version} did not come up: ${reason}`,
    stillServes: (version) => `Version ${version} is still up.`,
    nothingServes: "No version is up.",
    notListening: (name, port) =>
      `${name} runs, but does not listen on port ${port} yet: its address does not answer.`,
    notSeenUp: (name) => `${name} runs, but the server has not confirmed yet that it came up.`,
    superseded: (version) =>
      `Another upload took the place of version ${version} before it came up. See: tijolo versions`,
    siteEnded: (name) => `${name} ended with code 0. A site has to go on running to answer.`,
    wasStopped: (name) => `${name} was stopped before it came up. To start it: tijolo start`,
  },
};
