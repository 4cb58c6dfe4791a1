/** Texts of the commands about variables and settings. */

const pt = {
  commands: {
    "env list": "Lista as variáveis de ambiente (--show mostra os valores)",
    "env set": "Define variáveis; NOME sozinho (ou NOME=-) pergunta o valor sem mostrar, ou o lê da entrada",
    "env unset": "Remove variáveis",
    "env pull": "Grava as variáveis num arquivo .env",
    "env push": "Envia as variáveis de um arquivo .env",
    "config get": "Mostra a configuração, na forma do svc.json",
    "config set": "Altera a configuração",
  },
  options: {
    show: "mostra os valores",
    fromInput: "lê o valor da entrada, até o fim (para valores de várias linhas)",
    force: "troca o arquivo que já existe",
    replaceVariables: "remove também as variáveis que não estão no arquivo",
  },
  texts: {
    noVariables: "Nenhuma variável ainda. Defina com tijolo env set NOME=valor.",
    hidden: "Os valores estão escondidos; --show mostra.",
    variablesSet: (names: string) => `Definida(s): ${names}`,
    variablesRemoved: (names: string) => `Removida(s): ${names}`,
    pulled: (count: number, file: string) => `${count} variável(is) em ${file}`,
    keepOutOfGit: "O arquivo tem segredos: deixe-o fora do git e do envio (.gitignore).",
    leftOutReserved: (name: string) => `Fora do envio: ${name} é do próprio Tijolo.`,
    sameVariables: "Nada muda: o projeto já tem estas variáveis.",
    difference: (added: number, changed: number, removed: number) =>
      `${added} nova(s), ${changed} alterada(s), ${removed} removida(s)`,
    sureToRemove: (count: number) => `Remover ${count} variável(is) do projeto?`,
    settingsSet: (names: string) => `Alterado: ${names}`,
    restartNeeded: (id: string) =>
      `O projeto ainda roda com o que tinha. Para valer agora: tijolo restart ${id} (ou use --restart).`,
  },
};

const en: typeof pt = {
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

export const settings = { pt, en };
