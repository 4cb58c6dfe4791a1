/** Texts of `npm start`. */

export const start = {
  help: "npm start: sobe o Tijolo inteiro nesta máquina (central e um agente). Dados em /var/lib/tijolo ou TIJOLO_DATA_DIRECTORY; endereços em TIJOLO_LISTEN e TIJOLO_GATEWAY_LISTEN. Para desenvolver sem root nem contêineres (e sem isolamento): npm start -- --runtime process, com os dados em ~/.local/share/tijolo.",
  accountName: "Primeira conta",
  noIsolation:
    "ATENÇÃO: sem isolamento (--runtime process). Os projetos rodam como processos do seu usuário, sem limites, e podem ler e apagar tudo o que você pode. Só para desenvolvimento, com código em que você confia.",
  processesGoOn:
    "Os projetos continuam rodando como processos do seu usuário, e o próximo npm start os encontra. Para pará-los, antes do Ctrl-C: ./cli/bin/tijolo.mjs stop <nome>",
  runsAlready: (pid: number | null, directory: string) =>
    `O Tijolo já está no ar com os dados de ${directory}${pid === null ? "" : ` (pid ${pid})`}. Pare aquele com Ctrl-C, ou use outra pasta com TIJOLO_DATA_DIRECTORY.`,
  centralServes: (url: string, seconds: string) => `✓ central no ar em ${url} (${seconds} s)`,
  gatewayServes: (url: string, seconds: string) => `✓ gateway no ar em ${url}, pelo HAProxy (${seconds} s)`,
  noHaproxy: (reason: string) =>
    `Sem HAProxy, a própria central atende os visitantes dos sites, mais devagar, e só enquanto está no ar. ${reason}`,
  notRenewed: (reason: string) =>
    `O HAProxy baixado não pôde ser renovado a partir do Debian; o de antes continua servindo. Próxima tentativa: em um dia. ${reason}`,
  agentServes: (seconds: string) => `✓ agente conectado (${seconds} s)`,
  panelServes: (url: string, seconds: string) => `✓ painel em ${url} (${seconds} s)`,
  panelFailed: (lines: string) =>
    `O painel não pôde ser preparado, e o resto funciona sem ele. Para tentar de novo: npm run panel:build\n${lines}`,
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
    https: string | null;
    key: string;
    operatorToken: string;
  }) =>
    [
      `  API:        ${made.api}/api`,
      `  Sites:      ${made.sites.length === 0 ? made.gateway : made.sites.join("  ")}`,
      ...(made.https === null
        ? []
        : [`  HTTPS:      ${made.https}, com a autoridade do cluster: ./cli/bin/tijolo.mjs cluster ca`]),
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
  openLink:
    "Abra este link no navegador e crie sua conta, que também opera o cluster. Ele vale uma vez, por 24 horas:",
  openPanel: "Abra o painel no navegador:",
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
