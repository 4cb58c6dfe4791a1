import type { install as pt } from "../../pt/cli/install.ts";

export const install: typeof pt = {
  help: `Usage: ./install central              installs central as a service (run again: repairs, or changes nothing)
       ./install uninstall central [--purge]

--purge also deletes the data, the settings and the keys.`,
  steps: {
    tree: "programs in /opt/tijolo/releases",
    user: "user tijolo",
    settings: "settings in /etc/tijolo",
    masterKeys: "master keys in /etc/tijolo/master-keys",
    releases: "packages for the other machines",
    data: "data in /var/lib/tijolo",
    link: "version in use",
    command: "command tijolo",
    units: "units of systemd",
    service: "service up",
  },
  done: (step) => `✓ ${step}`,
  unchanged: (step) => `· ${step}: as it was`,
  stepFailed: (step, reason) => `Failed at "${step}": ${reason}`,
  asBefore: "All that was changed is undone: the machine is as before.",
  notAsBefore: (what) => `This could not be undone:\n${what}`,
  needsRoot: "Run it as root (sudo), on Linux.",
  needsSystemd: "This machine was not started by systemd (there is no /run/systemd/system).",
  isOlder: (version) =>
    `Version ${version} is in use, which is newer than this one: its data may not open here. Use the package of ${version} or a newer one.`,
  damaged: (file) => `This package is incomplete or was changed (${file}). Fetch and unpack it again.`,
  noSpace: (where, free, needed) =>
    `There is too little room in ${where}: ${free} MB are free, and ${needed} MB are needed.`,
  centralInstalled: (url, isChanged) =>
    isChanged
      ? `Central serves at http://${url}. Logs: journalctl -u tijolo-central`
      : `Nothing to change: central serves at http://${url}.`,
  startLink: (link) => `Open this link once, within 24 hours, to make the first account:\n\n${link}`,
  centralUninstalled: (isPurged) =>
    isPurged
      ? "Central was removed, with its data."
      : "Central was removed. Its data is in /var/lib/tijolo, its keys in /etc/tijolo; --purge deletes them.",
};
