import type { masterKey as pt } from "../../pt/cli/master-key.ts";

export const masterKey: typeof pt = {
  commands: {
    "cluster master-key status": "Shows the master keys, which seal the variables, by name",
    "cluster master-key rotate": "Exchanges the master key and seals everything anew, without a stop",
    "cluster master-key forget-variables": "Forgets the variables of a project whose key is lost for good",
  },
  options: {},
  texts: {
    from: {
      credentials: "The keys come from systemd's credentials.",
      environment: "The keys come from TIJOLO_MASTER_KEYS.",
      file: "The keys come from TIJOLO_MASTER_KEY_FILE.",
      own: "The keys are in central's own file (master-keys in its data directory).",
    },
    fields: { documents: "Documents", state: "State" },
    states: { current: "current", known: "still opens", lost: "lost" },
    none: "Central has no master key: the file is gone. Put it back as it was, and restart central.",
    lost: "There are documents of a key that is gone: nobody can open them. Put the key back and restart central.",
    sureToForget: (id) =>
      `Forget all variables of project ${id}? Not even the key, should it turn up, brings them back.`,
    wouldForget: (id) => `This would forget all variables of project ${id}, for good. Confirm with --yes.`,
    forgotten: (name) =>
      `The variables of ${name} are forgotten. Its owner sets them anew, before a restart.`,
    runsOn: "What runs goes on with those of before until its next start; after it, without any.",
    rotated: (id, documents) => `The master key is now ${id}. Documents sealed anew: ${documents}.`,
    unreadable: (documents) => `Documents that did not open and stayed as they are: ${documents}.`,
    removable: (ids) => `Nothing uses these keys any more; remove them from where you keep them: ${ids}`,
    addFirst: "To rotate again, put a new key on the first line, restart central and repeat this command.",
  },
};
