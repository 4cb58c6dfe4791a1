import type { orphan as pt } from "../../pt/cli/orphan.ts";

export const orphan: typeof pt = {
  commands: {
    "cluster orphan list":
      "Lists what machines have and central does not, as after an older database was restored",
    "cluster orphan adopt": "Gives an orphan back to central, as its machine knows it; it runs on",
    "cluster orphan remove": "Deletes an orphan from its machine, with all its files",
  },
  options: {
    orphanHost: "this machine alone (id or name)",
    orphanAccount: "the account that gets it, where central does not have its own",
    trustHost: "takes what the machine says without central's signature",
  },
  texts: {
    none: "No orphans.",
    hostLost: (host) =>
      `${host}: no answer; it may have orphans. See whether its agent runs and reaches central.`,
    fields: {
      project: "Project",
      account: "Account",
      host: "Machine",
      version: "Version",
      state: "State",
      disk: "Disk (MB)",
      since: "Since",
    },
    running: "running",
    stopped: "stopped",
    noAccount: "central does not have it",
    notes: {
      filesOnly: "files only: cannot be adopted",
      noArchive: "central does not have the .zip",
      unproven: "without central's signature",
      placedOn: (host) => `central has it on ${host}`,
      heldBack: {
        unanswered: "central has an older state of it; the machine did not send its own",
        unproven: "central has an older state of it",
        variables_unavailable:
          "central has an older state of it; the master key for its variables is missing",
        failed: "central has an older state of it, and could not take the machine's over: see central's log",
      },
    },
    advice:
      "An orphan stays as it is until you decide: tijolo cluster orphan adopt <id> or tijolo cluster orphan remove <id>.",
    restored: "Restored in the last 7 days:",
    restoredAs: {
      adopted: "adopted",
      taken_over: "its machine had a newer state, which counts",
      installed_anew: "its machine had nothing of it any more: installed anew, with an empty disk",
    },
    sureToAdopt: (id) => `Give ${id} back to central, as its machine knows it?`,
    wouldAdopt: (id) => `This would give ${id} back to central, as its machine knows it. Confirm with --yes.`,
    adopted: (name, version, host) => `${name} (version ${version}) is back; it is on ${host}.`,
    noArchive:
      "Central does not have this version's .zip: the project runs, but can be installed anew only when its owner sends code.",
    noVariables: "The machine did not have this project's variables: its owner sets them anew.",
    sureToRemove: (id) => `Delete the orphan ${id} for ever, with all its files?`,
    wouldRemove: (id) =>
      `This would delete the orphan ${id} for ever, with all its files. Confirm with --yes.`,
    removed: (id, hosts) => `${id} is deleted from ${hosts}: now, or when the machine is back.`,
  },
};
