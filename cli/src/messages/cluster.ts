/** Texts of the operators' commands. */

import type { Plan, ServiceLimits } from "@tijolo/protocol";

const pt = {
  commands: {
    "cluster login": "Entra como operador e guarda o token",
    "cluster host add": "Cria um convite de uso único para uma máquina nova",
    "cluster host list": "Lista as máquinas do cluster",
    "cluster project delete": "Apaga um projeto de qualquer conta, com arquivos e variáveis",
    "cluster account create": "Cria uma conta",
    "cluster account list": "Lista as contas, com plano, situação e uso",
    "cluster account plan": "Muda o plano de uma conta, sem reiniciar nada",
    "cluster account suspend": "Suspende uma conta: nada mais inicia, e o que roda para quando o prazo acaba",
    "cluster account resume": "Libera uma conta suspensa; nada inicia sozinho",
    "cluster account beta-ending": "Encerra o beta de uma conta: ela volta ao plano Free",
    "cluster account reset-password": "Cria um link com que a pessoa da conta troca a senha",
    "cluster account end-two-factor": "Desliga a entrada em duas etapas de quem perdeu o autenticador",
    "cluster invite": "Cria um convite para uma pessoa se cadastrar",
    "cluster plans": "Mostra os planos e limites em vigor",
    "cluster key create": "Cria uma chave de API para uma conta",
  },
  options: {
    token: "o token de operador (melhor: deixe que o comando pergunte)",
    accountName: "nome da conta",
    plan: "Free, Block, Stack, Tower, Fortress ou Empresas",
    account: "a conta: id, e-mail ou nome",
    grace:
      "quanto o que roda ainda roda, como 24h, 90m ou 0 (padrão: o da central; se já está suspensa, o prazo que tem)",
    betaEndsIn: "em quanto tempo, como 10m ou 24h (padrão 10m)",
    cancelBetaEnd: "não encerra mais: a conta fica no plano que tem",
    personEmail: "e-mail da pessoa, se a conta ainda não tem pessoa",
  },
  texts: {
    operatorLoggedIn: (url: string) => `Token aceito por ${url}. Guardado.`,
    noHosts: "Nenhuma máquina ainda. Rode tijolo cluster host add.",
    noAccounts: "Nenhuma conta ainda. Rode tijolo cluster account create.",
    host: { connected: "conectada", unknown: "sem sinal", never_connected: "nunca conectou" },
    joinToken: (expiresAt: string) => `Convite de uso único, vale até ${expiresAt}:`,
    joinSteps: (command: string) =>
      `Na máquina nova, como root, na pasta do repositório, cole o convite quando o primeiro comando esperar (e Ctrl-D):\n\n${command}\n`,
    projectId: "o id do projeto (26 caracteres)",
    notProjectId: (given: string) =>
      `"${given}" não é o id de um projeto: são 26 letras e algarismos. O dono o vê com tijolo list.`,
    sureToDelete: (id: string) => `Apagar o projeto ${id} para sempre, com arquivos, variáveis e logs?`,
    wouldDelete: (id: string) =>
      `Isto apagaria o projeto ${id} para sempre, com arquivos, variáveis e logs. Confirme com --yes.`,
    projectDeleted: (id: string) =>
      `O projeto ${id} foi apagado. A atividade da conta mostra que foi um operador.`,
    accountCreated: (id: string) => `Conta criada: ${id}`,
    account: "a conta (id, e-mail ou nome)",
    plan: "o plano",
    noSuchAccount: (given: string) =>
      `Nenhuma conta tem o id, o e-mail ou o nome "${given}". Veja tijolo cluster account list.`,
    manyAccounts: (given: string, ids: string) =>
      `Mais de uma conta se chama "${given}". Diga o id, um destes: ${ids}`,
    duration: "um tempo como 24h, 10m, 90s, 2d ou 0",
    standing: {
      good: "em dia",
      suspended: (stopsAt: string) => `suspensa, para em ${stopsAt}`,
      stopped: (stopsAt: string) => `suspensa, parada desde ${stopsAt}`,
      betaEnds: (at: string) => `volta ao Free em ${at}`,
    },
    planIsAlready: (name: string, plan: string) => `${name} já está no plano ${plan}.`,
    planChanged: (name: string, before: string, after: string) =>
      `${name} passou do plano ${before} para o ${after}. Nada foi parado nem reiniciado.`,
    doesNotFit: "Não cabe mais no plano (continua rodando; o que parar só volta se couber):",
    excess: {
      memoryMb: (used: number, limit: number) => `memória: ${used} MB, o plano tem ${limit} MB`,
      projects: (used: number, limit: number) => `projetos: ${used}, o plano tem ${limit}`,
      sites: (used: number, limit: number) => `sites: ${used}, o plano tem ${limit}`,
    },
    belowMinimum:
      "Abaixo da memória mínima do plano (ficam como estão; quem mudar a memória deles deve chegar ao mínimo):",
    suspended: (name: string) =>
      `${name} está suspensa: não inicia nem recebe código; parar continua permitido.`,
    nothingRuns: "Nada está rodando nela.",
    willStop: (at: string) => `Estes projetos param em ${at}:`,
    notSuspended: (name: string) => `${name} não estava suspensa.`,
    resumed: (name: string) => `${name} está liberada. Nada inicia sozinho.`,
    wereStopped: "A suspensão parou estes projetos; o dono pode iniciá-los:",
    cancelOrIn: "Use --in ou --cancel, não os dois.",
    betaEnds: (name: string, at: string) =>
      `${name} volta ao plano Free em ${at}. Até lá não inicia nem recebe código; depois para o que não couber no Free. Nada é apagado.`,
    betaGoesOn: (name: string, plan: string) => `${name} continua no plano ${plan}.`,
    hasNoPerson: (name: string) => `${name} ainda não tem pessoa. Diga o e-mail dela com --email.`,
    passwordLink: (email: string, expiresAt: string) =>
      `Link para ${email} trocar a senha; vale uma vez, até ${expiresAt}. Ao usá-lo, as sessões e as chaves de API da conta terminam. Envie só a essa pessoa:`,
    twoFactorEnded: (name: string) =>
      `A entrada em duas etapas de ${name} está desligada: a senha basta. A atividade da conta mostra que foi um operador.`,
    twoFactorWasOff: (name: string) => `${name} não tinha a entrada em duas etapas ligada.`,
    nobodySignsIn: (name: string) => `${name} não tem pessoa que entre no painel: só usa chaves.`,
    invitation: (plan: string, expiresAt: string) =>
      `Convite para uma conta no plano ${plan}; vale uma vez, até ${expiresAt}:`,
    planFields: {
      requestsPerMinute: "Requisições por minuto",
      requestsPerDay: "Requisições por dia",
      memoryMb: "Memória (MB)",
      projects: "Projetos",
      sites: "Sites",
      zipMb: "Tamanho do .zip (MB)",
      diskMbPerProject: "Disco por projeto (MB)",
      versionsKept: "Versões guardadas",
      hasAutoRestart: "Reinicia o que cai",
    } satisfies Record<keyof Omit<Plan, "name">, string>,
    limitFields: {
      uploadEveryMs: "Pausa entre envios (ms)",
      uploadsAtOnce: "Envios ao mesmo tempo",
      logOpenEveryMs: "Pausa entre aberturas de log de um projeto (ms)",
      logStreamsAtOnce: "Logs abertos ao mesmo tempo",
      sessionRequestsPerMinute: "Requisições por minuto de uma sessão do painel",
      keysPerAccount: "Chaves por conta",
      wrongAttempts: "Chaves, senhas, códigos ou links errados",
      wrongAttemptWindowMs: "… dentro de (ms)",
      wrongAttemptBlockMs: "… bloqueiam por (ms)",
      variablesBytes: "Variáveis de um projeto (bytes)",
    } satisfies Record<keyof ServiceLimits, string>,
    yesNo: { yes: "sim", no: "não" },
  },
};

const en: typeof pt = {
  commands: {
    "cluster login": "Signs in as an operator and stores the token",
    "cluster host add": "Makes a single-use invitation for a new machine",
    "cluster host list": "Lists the cluster's machines",
    "cluster project delete": "Deletes a project of any account with its files and variables",
    "cluster account create": "Creates an account",
    "cluster account list": "Lists the accounts, with plan, standing and usage",
    "cluster account plan": "Changes an account's plan, without a restart",
    "cluster account suspend":
      "Suspends an account: nothing starts any more, and what runs stops when the grace is over",
    "cluster account resume": "Lifts a suspension; nothing starts by itself",
    "cluster account beta-ending": "Ends an account's beta: it returns to Free",
    "cluster account reset-password": "Makes a link with which the account's person sets a password",
    "cluster account end-two-factor": "Ends the second factor of a person who has lost the authenticator",
    "cluster invite": "Makes an invitation for one person to sign up",
    "cluster plans": "Shows the plans and limits in effect",
    "cluster key create": "Creates an API key for an account",
  },
  options: {
    token: "the operator token (better: let the command ask for it)",
    accountName: "the account's name",
    plan: "Free, Block, Stack, Tower, Fortress or Empresas",
    account: "the account: id, e-mail or name",
    grace:
      "how long what runs goes on, such as 24h, 90m or 0 (default: the server's; if suspended already, the end it has)",
    betaEndsIn: "how soon, such as 10m or 24h (default 10m)",
    cancelBetaEnd: "calls it off: the account keeps its plan",
    personEmail: "the person's e-mail, if the account has no person yet",
  },
  texts: {
    operatorLoggedIn: (url) => `Token accepted by ${url}. Stored.`,
    noHosts: "No machines yet. Run tijolo cluster host add.",
    noAccounts: "No accounts yet. Run tijolo cluster account create.",
    host: { connected: "connected", unknown: "silent", never_connected: "never connected" },
    joinToken: (expiresAt) => `Single-use invitation, valid until ${expiresAt}:`,
    joinSteps: (command) =>
      `On the new machine, as root, in the repository's folder; paste the invitation when the first command waits (and Ctrl-D):\n\n${command}\n`,
    projectId: "the project's id (26 characters)",
    notProjectId: (given) =>
      `"${given}" is not the id of a project: those are 26 letters and digits. Its owner sees it with tijolo list.`,
    sureToDelete: (id) => `Delete project ${id} for good, with files, variables and logs?`,
    wouldDelete: (id) =>
      `This would delete project ${id} for good, with files, variables and logs. Confirm with --yes.`,
    projectDeleted: (id) => `Project ${id} is deleted. The account's activity shows that an operator did it.`,
    accountCreated: (id) => `Account created: ${id}`,
    account: "the account (id, e-mail or name)",
    plan: "the plan",
    noSuchAccount: (given) =>
      `No account has the id, e-mail or name "${given}". See tijolo cluster account list.`,
    manyAccounts: (given, ids) => `More than one account is called "${given}". Give the id, one of: ${ids}`,
    duration: "a time such as 24h, 10m, 90s, 2d or 0",
    standing: {
      good: "in good standing",
      suspended: (stopsAt) => `suspended, stops ${stopsAt}`,
      stopped: (stopsAt) => `suspended, stopped since ${stopsAt}`,
      betaEnds: (at) => `returns to Free ${at}`,
    },
    planIsAlready: (name, plan) => `${name} is on ${plan} already.`,
    planChanged: (name, before, after) =>
      `${name} went from ${before} to ${after}. Nothing was stopped or restarted.`,
    doesNotFit: "Does not fit the plan any more (it runs on; what is stopped starts again only if it fits):",
    excess: {
      memoryMb: (used, limit) => `memory: ${used} MB, the plan has ${limit} MB`,
      projects: (used, limit) => `projects: ${used}, the plan has ${limit}`,
      sites: (used, limit) => `sites: ${used}, the plan has ${limit}`,
    },
    belowMinimum:
      "Below the plan's minimum of memory (they stay as they are; whoever changes their memory must reach it):",
    suspended: (name) =>
      `${name} is suspended: it starts nothing and receives no code; stopping stays allowed.`,
    nothingRuns: "Nothing runs in it.",
    willStop: (at) => `These projects stop ${at}:`,
    notSuspended: (name) => `${name} was not suspended.`,
    resumed: (name) => `${name} may start again. Nothing starts by itself.`,
    wereStopped: "The suspension stopped these projects; their owner can start them:",
    cancelOrIn: "Use --in or --cancel, not both.",
    betaEnds: (name, at) =>
      `${name} returns to Free ${at}. Until then it starts nothing and receives no code; then what does not fit Free stops. Nothing is deleted.`,
    betaGoesOn: (name, plan) => `${name} stays on ${plan}.`,
    hasNoPerson: (name) => `${name} has no person yet. Give the e-mail with --email.`,
    passwordLink: (email, expiresAt) =>
      `Link with which ${email} sets a password; valid once, until ${expiresAt}. Its use ends the account's sessions and API keys. Send it to nobody else:`,
    twoFactorEnded: (name) =>
      `The second factor of ${name} is off: the password is enough. The account's activity shows that an operator did it.`,
    twoFactorWasOff: (name) => `${name} had no second factor.`,
    nobodySignsIn: (name) => `${name} has no person who signs in to the panel: it only uses keys.`,
    invitation: (plan, expiresAt) => `Invitation to an account on ${plan}; valid once, until ${expiresAt}:`,
    planFields: {
      requestsPerMinute: "Requests per minute",
      requestsPerDay: "Requests per day",
      memoryMb: "Memory (MB)",
      projects: "Projects",
      sites: "Sites",
      zipMb: "Size of the .zip (MB)",
      diskMbPerProject: "Disk per project (MB)",
      versionsKept: "Versions kept",
      hasAutoRestart: "Restarts what crashes",
    },
    limitFields: {
      uploadEveryMs: "Pause between uploads (ms)",
      uploadsAtOnce: "Uploads at once",
      logOpenEveryMs: "Pause between openings of a project's log (ms)",
      logStreamsAtOnce: "Logs open at once",
      sessionRequestsPerMinute: "Requests per minute of a panel session",
      keysPerAccount: "Keys per account",
      wrongAttempts: "Wrong keys, passwords, codes or links",
      wrongAttemptWindowMs: "… within (ms)",
      wrongAttemptBlockMs: "… block for (ms)",
      variablesBytes: "Variables of a project (bytes)",
    },
    yesNo: { yes: "yes", no: "no" },
  },
};

export const cluster = { pt, en };
