import type { start as pt } from "../../pt/cli/start.ts";

export const start: typeof pt = {
  help: "npm start: brings all of Tijolo up on this machine (central and one agent). Data in /var/lib/tijolo or TIJOLO_DATA_DIRECTORY; addresses in TIJOLO_LISTEN and TIJOLO_GATEWAY_LISTEN. To develop without root or containers (and without isolation): npm start -- --runtime process, with the data in ~/.local/share/tijolo.",
  accountName: "First account",
  noIsolation:
    "WARNING: no isolation (--runtime process). Projects run as processes of your own user, without limits, and can read and delete all that you can. For development only, with code that you trust.",
  processesGoOn:
    "The projects go on running as processes of your user, and the next npm start finds them. To stop them, before Ctrl-C: ./cli/bin/tijolo.mjs stop <name>",
  runsAlready: (pid, directory) =>
    `Tijolo is up already on the data of ${directory}${pid === null ? "" : ` (pid ${pid})`}. Stop that one with Ctrl-C, or use another folder with TIJOLO_DATA_DIRECTORY.`,
  centralServes: (url, seconds) => `✓ central serves at ${url} (${seconds} s)`,
  gatewayServes: (url, seconds) => `✓ gateway serves at ${url}, by HAProxy (${seconds} s)`,
  noHaproxy: (reason) =>
    `Without HAProxy, central itself serves the visitors of sites, more slowly, and only while it is up. ${reason}`,
  notRenewed: (reason) =>
    `The HAProxy that was fetched could not be renewed from Debian; the one before serves on. Next try: in a day. ${reason}`,
  agentServes: (seconds) => `✓ agent connected (${seconds} s)`,
  panelServes: (url, seconds) => `✓ panel at ${url} (${seconds} s)`,
  panelFailed: (lines) =>
    `The panel could not be prepared, and the rest works without it. To try again: npm run panel:build\n${lines}`,
  servesAgain: (api, gateway, seconds) =>
    `Serving again after ${seconds} s. API: ${api}/api   Sites: ${gateway}`,
  deploying: (name) => `Example ${name}`,
  exampleFailed: (why) =>
    `An example did not come up: ${why}. Everything else serves; upload it later with ./cli/bin/tijolo.mjs up examples/bot-node`,
  ready: "Ready.",
  summary: (made) =>
    [
      `  API:        ${made.api}/api`,
      `  Sites:      ${made.sites.length === 0 ? made.gateway : made.sites.join("  ")}`,
      ...(made.https === null
        ? []
        : [`  HTTPS:      ${made.https}, by the cluster's own authority: ./cli/bin/tijolo.mjs cluster ca`]),
      "",
      "  These two secrets are shown only now. Keep them:",
      `  Key:        ${made.key}`,
      `  Operator:   ${made.operatorToken}`,
      "",
      "  In another terminal, in this folder:",
      `    ./cli/bin/tijolo.mjs login --url ${made.api}      (asks for the key)`,
      "    ./cli/bin/tijolo.mjs list",
      "    ./cli/bin/tijolo.mjs logs -f bot-node",
      "",
    ].join("\n"),
  logsAre: (directory) => `Logs of the services: ${directory}`,
  howToStop: "Ctrl-C stops everything but the projects.",
  openLink:
    "Open this link in the browser and create your account, which runs the cluster, too. It works once, for 24 hours:",
  openPanel: "Open the panel in the browser:",
  stopping: "Stopping…",
  stopped: (name, wasKilled) => `✓ ${name} stopped${wasKilled ? " (by force: it did not answer)" : ""}`,
  projectsGoOn:
    "The projects go on running in their containers, and the next npm start finds them. To stop them, before Ctrl-C: ./cli/bin/tijolo.mjs stop <name>",
  ended: ({ name, how, returnsInMs, logFile }) =>
    `${name} ended (${how})${returnsInMs === null ? "" : `; starting it again in ${returnsInMs / 1000} s`}. Log: ${logFile}`,
  failed: (why) => `Could not start: ${why}`,
};
