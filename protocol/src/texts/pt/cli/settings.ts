/** Texts of the commands about variables and settings. */

export const settings = {
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
