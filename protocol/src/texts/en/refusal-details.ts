import type { refusalDetails as pt } from "../pt/refusal-details.ts";

export const refusalDetails: typeof pt = {
  archivesWait: "It is not because of you: too many .zip files wait to be checked right now.",
  passwordsWait: "It is not because of you: too many passwords wait to be checked right now.",
  projectRequestsWait: "Too many requests wait for it already.",
  keyRequestsWait: "Too many requests wait with this Idempotency-Key already.",
  keyUsedOtherwise: "This Idempotency-Key was used with another request. Use another.",
  periodEndsFirst: "The start of the period must come before its end; without end, the end is now.",
  periodTooLong: (days) => `The period may have up to ${days} days.`,
  limitOfSession: "It is this session's, not your plan's.",
  limitOfPlan: "It is your plan's, for all keys of the account together.",
  liveStreamsAtOnce: (count) => `${count} live streams of this session are open at once; close one of them.`,
  logsAtOnce: (count) => `${count} logs are open at once; close one of them.`,
  uploadsAtOnce: (count) => `${count} uploads are under way at once; wait for one of them to end.`,
  downloadsAtOnce: (count) => `${count} versions are being downloaded at once; wait for one of them to end.`,
  noSuchVersion: (number, kept) => `No version ${number} of the project is kept. Kept are: ${kept}.`,
  noSitePage: (status) => `The site has no ${status} page of its own: visitors see the service's.`,
  nothingReplaced: (number) =>
    `Of the files that version ${number} replaced, none like this is kept. See which are: tijolo replaced list.`,
  versionOfStaticSite: (number) =>
    `Version ${number} is of a static site, and the project is a bot now. Change type to site before you go back to it.`,
  memoryOfPlan: (planMb) => `Your plan has ${planMb} MB in all: ask for no more, or change the plan.`,
  memoryHeldBy: (holders, { freeMb, planMb }) =>
    `${freeMb} MB of ${planMb} are left. A stopped project keeps its memory too: ${holders
      .map(({ name, memoryMb, isOn }) => `${name} (${memoryMb} MB, ${isOn ? "on" : "stopped"})`)
      .join(", ")}. Delete one of them or lower its memoryMb.`,
  memoryRunBy: (holders, { freeMb, planMb }) =>
    `${freeMb} MB of ${planMb} are left. On now: ${holders
      .map(({ name, memoryMb }) => `${name} (${memoryMb} MB)`)
      .join(", ")}. Stop one of them, or lower the memoryMb of this project${
      freeMb > 0 ? ` to ${freeMb} MB` : " or of another"
    }.`,
  orStopAnother: "Or stop another project first.",
  noCommandOrEntry: "command or entry is missing.",
  variablesTooLarge: (limitKb) => `Names and values of the variables take at most ${limitKb} KB together.`,
  noVariables: "The project has no variables.",
  variablesOpen: "The variables of this project open: its owner changes them.",
  svcJsonNotText: (limitKb) => `The svc.json must be text in UTF-8 of at most ${limitKb} KB.`,
  svcJsonLacks: (field) => `The svc.json lacks ${field}.`,
  uploadChangesSettings: (fields) =>
    `The upload would change settings (${fields}), and this key may only send code: leave these fields as they are, or use a key with projects:settings.`,
  beforeOfStream: "Field: before (only with follow=false or Accept: application/json).",
  noSuchHost: (wanted) => `No host has the id or the name ${wanted}.`,
  badJoinToken: "The join token is wrong, used or expired.",
  hostRevoked: "The host of this key (identity.pem) was revoked.",
  noHostHasProject: "No host that answered has this project.",
  noOrphan: "This project is no orphan: central has it on this host.",
  heldBackHere:
    "Central has this project on this host, in an older state: adopt it, or its owner deletes it.",
  orphanHasNoSettings:
    "The host has only files of this project, not its settings: it cannot be adopted. Copy what is needed from its disk before it is removed.",
  orphanUnproven:
    "What the host says of this project does not carry this central's signature. If you trust the host, use --trust-host.",
  orphanOfOtherAccount: "Central has this project in another account, where it stays.",
  orphanHasNoAccount: (accountId) =>
    `Central does not have the account ${accountId}. Name the account that gets it with --account.`,
  orphanOnManyHosts: (names) => `More than one host has this project; name one with --host: ${names}.`,
  masterKeysGone: "The file of master keys is gone: put it back before rotating.",
  masterKeyRotating: "The master key is being rotated already.",
  invitesNobody:
    "With TIJOLO_SIGN_UP=closed an invitation is of no use: set it to invitation and restart central.",
  invitationNeeded: "An invitation is needed.",
  privateWebhook:
    "Field: webhook (the address is of an internal network; a webhook must be reachable from the internet).",
  manyNewAccounts: "Too many accounts were made from your network for now.",
  passkeysNeedName:
    "A browser accepts them only where the address is a name, not an IP: the operator sets TIJOLO_PANEL_URL to the panel's name.",
  passkeysNeedTls: "A browser accepts them only over https: the operator sets TIJOLO_PANEL_URL with https.",
  passkeysElsewhere: (url) => `Open the panel at ${url}.`,
  personIsAnother: (email) =>
    `This account's person is ${email}: ask for the link with that e-mail, or without one.`,
};
