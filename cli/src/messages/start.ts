/** Texts of `npm start`. */

const pt = {
  help: "npm start: sobe o Tijolo inteiro nesta máquina (central e um agente). Dados em /var/lib/tijolo ou TIJOLO_DATA_DIRECTORY; endereços em TIJOLO_LISTEN e TIJOLO_GATEWAY_LISTEN. Para desenvolver sem root nem contêineres (e sem isolamento): npm start -- --runtime process, com os dados em ~/.local/share/tijolo.",
  accountName: "Primeira conta",
  noIsolation:
    "ATENÇÃO: sem isolamento (--runtime process). Os projetos rodam como processos do seu usuário, sem limites, e podem ler e apagar tudo o que você pode. Só para desenvolvimento, com código em que você confia.",
  processesGoOn:
    "Os projetos continuam rodando como processos do seu usuário, e o próximo npm start os encontra. Para pará-los, antes do Ctrl-C: ./cli/bin/tijolo.mjs stop <nome>",
  runsAlready: (pid: number | null, directory: string) =>
    `O Tijolo já está no ar com os dados de ${directory}${pid === null ? "" : ` (pid ${pid})`}. Pare aquele com Ctrl-C, ou use outra pasta com TIJOLO_DATA_DIRECTORY.`,
  centralServes: (url: string, seconds: string) => `✓ central no ar em ${url} (${seconds} s)`,
  agentServes: (seconds: string) => `✓ agente conectado (${seconds} s)`,
  servesAgain: (api: string, gateway: string, seconds: string) =>
    `No ar de novo em ${seconds} s. API: ${api}/api   Sites: ${gateway}`,
  deploying: (name: string) => `Exemplo ${name}`,
  exampleFailed: (why: string) =>
    `Um exemplo não subiu: ${why}. O resto está no ar; envie-o depois com ./cli/bin/tijolo.mjs up examples/bot-node`,
  ready: "Pronto.",
  summary: (made: {
    api: string;
    gateway: string;
    sites: readonly string[];
    key: string;
    operatorToken: string;
  }) =>
    [
      `  API:        ${made.api}/api`,
      `  Sites:      ${made.sites.length === 0 ? made.gateway : made.sites.join("  ")}`,
      "",
      "  Estes dois segredos aparecem só agora. Guarde-os:",
      `  Chave:      ${made.key}`,
      `  Operador:   ${made.operatorToken}`,
      "",
      "  Em outro terminal, nesta pasta:",
      `    ./cli/bin/tijolo.mjs login --url ${made.api}      (pede a chave)`,
      "    ./cli/bin/tijolo.mjs list",
      "    ./cli/bin/tijolo.mjs logs -f bot-node",
      "",
    ].join("\n"),
  logsAre: (directory: string) => `Logs dos serviços: ${directory}`,
  howToStop: "Ctrl-C para tudo, menos os projetos.",
  stopping: "Parando…",
  stopped: (name: string, wasKilled: boolean) =>
    `✓ ${name} parou${wasKilled ? " (à força: não respondeu)" : ""}`,
  projectsGoOn:
    "Os projetos continuam rodando nos seus contêineres, e o próximo npm start os encontra. Para pará-los, antes do Ctrl-C: ./cli/bin/tijolo.mjs stop <nome>",
  ended: ({
    name,
    how,
    returnsInMs,
    logFile,
  }: {
    name: string;
    how: string;
    returnsInMs: number | null;
    logFile: string;
  }) =>
    `${name} terminou (${how})${returnsInMs === null ? "" : `; começa de novo em ${returnsInMs / 1000} s`}. Log: ${logFile}`,
  failed: (why: string) => `Não deu para subir: ${why}`,
};

const en: typeof pt = {
  help: "npm start: brings all of Tijolo up on this machine (central and one agent). Data in /var/lib/tijolo or TIJOLO_DATA_DIRECTORY; addresses in TIJOLO_LISTEN and TIJOLO_GATEWAY_LISTEN. To develop without root or containers (and without isolation): npm start -- --runtime process, with the data in ~/.local/share/tijolo.",
  accountName: "First account",
  noIsolation:
    "WARNING: no isolation (--runtime process). Projects run as processes of your own user, without limits, and can read and delete all that you can. For development only, with code that you trust.",
  processesGoOn:
    "The projects go on running as processes of your user, and the next npm start finds them. To stop them, before Ctrl-C: ./cli/bin/tijolo.mjs stop <name>",
  runsAlready: (pid, directory) =>
    `Tijolo is up already on the data of ${directory}${pid === null ? "" : ` (pid ${pid})`}. Stop that one with Ctrl-C, or use another folder with TIJOLO_DATA_DIRECTORY.`,
  centralServes: (url, seconds) => `✓ central serves at ${url} (${seconds} s)`,
  agentServes: (seconds) => `✓ agent connected (${seconds} s)`,
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
  stopping: "Stopping…",
  stopped: (name, wasKilled) => `✓ ${name} stopped${wasKilled ? " (by force: it did not answer)" : ""}`,
  projectsGoOn:
    "The projects go on running in their containers, and the next npm start finds them. To stop them, before Ctrl-C: ./cli/bin/tijolo.mjs stop <name>",
  ended: ({ name, how, returnsInMs, logFile }) =>
    `${name} ended (${how})${returnsInMs === null ? "" : `; starting it again in ${returnsInMs / 1000} s`}. Log: ${logFile}`,
  failed: (why) => `Could not start: ${why}`,
};

export const start = { pt, en };
