import type { cluster as pt } from "../../pt/cli/cluster.ts";

export const cluster: typeof pt = {
  commands: {
    "cluster login": "Signs in as an operator and stores the token",
    "cluster host add": "Makes a single-use invitation for a new machine",
    "cluster host list": "Lists the cluster's machines",
    "cluster project delete": "Deletes a project of any account with its files and variables",
    "cluster account create": "Creates an account",
    "cluster account list": "Lists the accounts, with plan, standing and usage",
    "cluster account plan": "Changes an account's plan, without a restart",
    "cluster account suspend":
      "Suspends an account: nothing starts any more, and what runs stops when the grace is over",
    "cluster account resume": "Lifts a suspension; nothing starts by itself",
    "cluster account beta-ending": "Ends an account's beta: it returns to Free",
    "cluster account reset-password": "Makes a link with which the account's person sets a password",
    "cluster account end-two-factor": "Ends the second factor of a person who has lost the authenticator",
    "cluster invite": "Makes an invitation for one person to sign up",
    "cluster plans": "Shows the plans and limits in effect",
    "cluster key create": "Creates an API key for an account",
  },
  options: {
    token: "the operator token (better: let the command ask for it)",
    accountName: "the account's name",
    plan: "Free, Block, Stack, Tower, Fortress or Empresas",
    account: "the account: id, e-mail or name",
    grace:
      "how long what runs goes on, such as 24h, 90m or 0 (default: the server's; if suspended already, the end it has)",
    betaEndsIn: "how soon, such as 10m or 24h (default 10m)",
    cancelBetaEnd: "calls it off: the account keeps its plan",
    personEmail: "the person's e-mail, if the account has no person yet",
  },
  texts: {
    operatorLoggedIn: (url) => `Token accepted by ${url}. Stored.`,
    noHosts: "No machines yet. Run tijolo cluster host add.",
    noAccounts: "No accounts yet. Run tijolo cluster account create.",
    host: { connected: "connected", unknown: "silent", never_connected: "never connected" },
    installLine: (line) => `On the new machine, as root:\n\n  ${line}\n`,
    asksForToken: (until) => `It asks for this token (one use, until ${until}):`,
    joinToken: (expiresAt) => `Single-use invitation, valid until ${expiresAt}:`,
    joinSteps: (command) =>
      `On the new machine, as root, in the repository's folder; paste the invitation when the first command waits (and Ctrl-D):\n\n${command}\n`,
    thisMachineOnly: (url) =>
      `${url} leads to central from its own machine alone. For other machines install central from a release, whose line they reach by TLS (docs/installing.md).`,
    plainLink: (url) =>
      `${url} is plain HTTP: whoever is on the way reads and changes what central and this machine say. Only in a network of your own. Otherwise install central from a release, whose line goes by TLS (docs/installing.md).`,
    projectId: "the project's id (26 characters)",
    notProjectId: (given) =>
      `"${given}" is not the id of a project: those are 26 letters and digits. Its owner sees it with tijolo list.`,
    sureToDelete: (id) => `Delete project ${id} for good, with files, variables and logs?`,
    wouldDelete: (id) =>
      `This would delete project ${id} for good, with files, variables and logs. Confirm with --yes.`,
    projectDeleted: (id) => `Project ${id} is deleted. The account's activity shows that an operator did it.`,
    accountCreated: (id) => `Account created: ${id}`,
    account: "the account (id, e-mail or name)",
    plan: "the plan",
    noSuchAccount: (given) =>
      `No account has the id, e-mail or name "${given}". See tijolo cluster account list.`,
    manyAccounts: (given, ids) => `More than one account is called "${given}". Give the id, one of: ${ids}`,
    duration: "a time such as 24h, 10m, 90s, 2d or 0",
    standing: {
      good: "in good standing",
      suspended: (stopsAt) => `suspended, stops ${stopsAt}`,
      stopped: (stopsAt) => `suspended, stopped since ${stopsAt}`,
      betaEnds: (at) => `returns to Free ${at}`,
    },
    planIsAlready: (name, plan) => `${name} is on ${plan} already.`,
    planChanged: (name, before, after) =>
      `${name} went from ${before} to ${after}. Nothing was stopped or restarted.`,
    doesNotFit: "Does not fit the plan any more (it runs on; what is stopped starts again only if it fits):",
    excess: {
      memoryMb: (used, limit) => `memory: ${used} MB, the plan has ${limit} MB`,
      projects: (used, limit) => `projects: ${used}, the plan has ${limit}`,
      sites: (used, limit) => `sites: ${used}, the plan has ${limit}`,
      domains: (used, limit) =>
        `own domains: ${used}, the plan has ${limit} (they stay; new ones do not fit)`,
    },
    belowMinimum:
      "Below the plan's minimum of memory (they stay as they are; whoever changes their memory must reach it):",
    suspended: (name) =>
      `${name} is suspended: it starts nothing and receives no code; stopping stays allowed.`,
    nothingRuns: "Nothing runs in it.",
    willStop: (at) => `These projects stop ${at}:`,
    notSuspended: (name) => `${name} was not suspended.`,
    resumed: (name) => `${name} may start again. Nothing starts by itself.`,
    wereStopped: "The suspension stopped these projects; their owner can start them:",
    cancelOrIn: "Use --in or --cancel, not both.",
    betaEnds: (name, at) =>
      `${name} returns to Free ${at}. Until then it starts nothing and receives no code; then what does not fit Free stops. Nothing is deleted.`,
    betaGoesOn: (name, plan) => `${name} stays on ${plan}.`,
    hasNoPerson: (name) => `${name} has no person yet. Give the e-mail with --email.`,
    passwordLink: (email, expiresAt) =>
      `Link with which ${email} sets a password; valid once, until ${expiresAt}. Its use ends the account's sessions and API keys. Send it to nobody else:`,
    twoFactorEnded: (name) =>
      `The second factor of ${name} is off: the password is enough. The account's activity shows that an operator did it.`,
    twoFactorWasOff: (name) => `${name} had no second factor.`,
    nobodySignsIn: (name) => `${name} has no person who signs in: it only uses keys.`,
    invitation: (plan, expiresAt) => `Invitation to an account on ${plan}; valid once, until ${expiresAt}:`,
    planFields: {
      requestsPerMinute: "Requests per minute",
      requestsPerDay: "Requests per day",
      memoryMb: "Memory (MB)",
      projects: "Projects",
      sites: "Sites",
      domains: "Own domains",
      zipMb: "Size of the .zip (MB)",
      diskMbPerProject: "Disk per project (MB)",
      versionsKept: "Versions kept",
      hasAutoRestart: "Restarts what crashes",
    },
    limitFields: {
      uploadEveryMs: "Pause between uploads (ms)",
      uploadsAtOnce: "Uploads at once",
      logOpenEveryMs: "Pause between openings of a project's log (ms)",
      logStreamsAtOnce: "Logs open at once",
      sessionRequestsPerMinute: "Requests per minute of who signed in",
      keysPerAccount: "Keys per account",
      wrongAttempts: "Wrong keys, passwords, codes or links",
      wrongAttemptWindowMs: "… within (ms)",
      wrongAttemptBlockMs: "… block for (ms)",
      variablesBytes: "Variables of a project (bytes)",
    },
    yesNo: { yes: "yes", no: "no" },
  },
};
