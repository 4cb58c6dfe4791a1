import type { settings as pt } from "../../pt/cli/settings.ts";

export const settings: typeof pt = {
  commands: {
    "env list": "Lists the environment variables (--show shows the values)",
    "env set":
      "Sets variables; NAME alone (or NAME=-) asks for the value without showing it, or reads it from the input",
    "env unset": "Removes variables",
    "env pull": "Writes the variables to a .env file",
    "env push": "Sends the variables of a .env file",
    "config get": "Shows the settings, in the form of svc.json",
    "config set": "Changes settings",
  },
  options: {
    show: "shows the values",
    fromInput: "reads the value from the input, to its end (for values of many lines)",
    force: "replaces the file that exists",
    replaceVariables: "also removes the variables that are not in the file",
  },
  texts: {
    noVariables: "No variables yet. Set them with tijolo env set NAME=value.",
    hidden: "The values are hidden; --show shows them.",
    variablesSet: (names) => `Set: ${names}`,
    variablesRemoved: (names) => `Removed: ${names}`,
    pulled: (count, file) => `${count} variable(s) in ${file}`,
    keepOutOfGit: "The file has secrets: keep it out of git and of uploads (.gitignore).",
    leftOutReserved: (name) => `Left out: ${name} is Tijolo's own.`,
    sameVariables: "Nothing changes: the project has these variables already.",
    difference: (added, changed, removed) => `${added} new, ${changed} changed, ${removed} removed`,
    sureToRemove: (count) => `Remove ${count} variable(s) of the project?`,
    settingsSet: (names) => `Changed: ${names}`,
    restartNeeded: (id) =>
      `The project still runs with what it had. To apply it now: tijolo restart ${id} (or use --restart).`,
  },
};
