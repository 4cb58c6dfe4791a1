/** Holds the texts of the operators' commands. */

import type { ServiceLimits } from "../../../contract/service-limits.ts";
import type { Plan } from "../../../nouns/plan.ts";

export const cluster = {
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
    installLine: (line: string) => `Na máquina nova, como root:\n\n  ${line}\n`,
    asksForToken: (until: string) => `Ela pede este convite (vale uma vez, até ${until}):`,
    joinToken: (expiresAt: string) => `Convite de uso único, vale até ${expiresAt}:`,
    joinSteps: (command: string) =>
      `Na máquina nova, como root, na pasta do repositório, cole o convite quando o primeiro comando esperar (e Ctrl-D):\n\n${command}\n`,
    thisMachineOnly: (url: string) =>
      `${url} leva à central só a partir da própria máquina dela. Para outras máquinas, instale a central por um pacote, cuja linha elas alcançam por TLS (docs/installing.md).`,
    plainLink: (url: string) =>
      `${url} é HTTP sem cifra: quem estiver no caminho lê e muda o que a central e essa máquina dizem. Só em uma rede sua. Senão, instale a central por um pacote, cuja linha vai por TLS (docs/installing.md).`,
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
      domains: (used: number, limit: number) =>
        `domínios próprios: ${used}, o plano tem ${limit} (ficam no ar; novos não cabem)`,
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
    nobodySignsIn: (name: string) => `${name} não tem pessoa que entre com e-mail e senha: só usa chaves.`,
    invitation: (plan: string, expiresAt: string) =>
      `Convite para uma conta no plano ${plan}; vale uma vez, até ${expiresAt}:`,
    planFields: {
      requestsPerMinute: "Requisições por minuto",
      requestsPerDay: "Requisições por dia",
      memoryMb: "Memória (MB)",
      projects: "Projetos",
      sites: "Sites",
      domains: "Domínios próprios",
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
      sessionRequestsPerMinute: "Requisições por minuto de quem entrou com senha",
      keysPerAccount: "Chaves por conta",
      wrongAttempts: "Chaves, senhas, códigos ou links errados",
      wrongAttemptWindowMs: "… dentro de (ms)",
      wrongAttemptBlockMs: "… bloqueiam por (ms)",
      variablesBytes: "Variáveis de um projeto (bytes)",
    } satisfies Record<keyof ServiceLimits, string>,
    yesNo: { yes: "sim", no: "não" },
  },
};
