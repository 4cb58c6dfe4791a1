import type { deploy as pt } from "../../pt/cli/deploy.ts";
import { proposalReasons } from "../proposal.ts";

export const deploy: typeof pt = {
  texts: {
    reasons: proposalReasons,
    proposal: "This folder has no svc.json. By what is in it, this is proposed:",
    acceptProposal:
      "Write this svc.json? [Enter = yes, field=value changes a field, field= removes it, n = no]",
    wrongField: (field) => `${field} cannot have this value.`,
    proposalWritten: (path) => `Written: ${path}`,
    proposalRefused: "Nothing was written or sent. Create an svc.json, or give --language and --command.",
    proposalUnattended: (lines) =>
      `This folder has no svc.json. By what is in it, it would be:\n${lines}\nTo write it and upload: tijolo up --yes. For another one, create an svc.json or give --language and --command.`,
    noProposal:
      "This folder has no svc.json, and what is in it does not show how the project is started. Create an svc.json, or give --language and --entry or --command.",
    leftOut: (path) => `Left out: ${path} is a link out of the folder or to another folder.`,
    sendsDotenv:
      "The file .env goes along. Secrets are better kept as variables: tijolo env push, and .env in .gitignore.",
    sendsDatabases: (names) =>
      `Files that look like databases go along: ${names}. On the server they take the place of those that the program wrote (which are kept for 14 days). To leave them out, put them into .gitignore or .svcignore.`,
    restored: (path, setting) =>
      `${path} goes along although it is ignored: the project needs it (${setting}).`,
    restoredFromRule: (path, { rule, setting }) =>
      `${path} goes along although the rule ${rule} ignores it: the project needs it (${setting}).`,
    lacks: (path, setting) =>
      `Nothing was sent: ${setting} of the project is ${path}, which is not in the folder. Make it (does a build have to run?) or correct ${setting} in svc.json.`,
    settingsRefused:
      "The svc.json of this folder differs from the project's settings, which this key cannot change. Compare with tijolo config get and undo the difference, or create a key that can: tijolo keys create --save",
    goesOn: "The deploy goes on without this command. Follow it with tijolo status and tijolo logs -f.",
    startsStopped: (name) => `${name} was stopped; starting it with the new code.`,
    staysStopped: "The code is installed. To start it: tijolo start",
    didNotComeUp: (name) => `${name} did not come up.`,
    keepsCrashing: (name, crashes) =>
      `${name} did not come up: it crashed ${crashes} times in a row. The service tries again, with pauses, for some 4 minutes.`,
    versionDidNotComeUp: (version, reason) => `Version ${version} did not come up: ${reason}`,
    stillServes: (version) => `Version ${version} is still up.`,
    nothingServes: "No version is up.",
    notListening: (name, port) =>
      `${name} runs, but does not answer on port ${port} yet: its address does not answer.`,
    notSeenUp: (name) => `${name} runs, but the server has not confirmed yet that it came up.`,
    superseded: (version) =>
      `Another upload took the place of version ${version} before it came up. See: tijolo versions`,
    siteEnded: (name) => `${name} ended with code 0. A site has to go on running to answer.`,
    wasStopped: (name) => `${name} was stopped before it came up. To start it: tijolo start`,
  },
};
