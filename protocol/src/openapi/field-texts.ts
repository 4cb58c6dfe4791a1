/** A line in Portuguese on each schema and field of the API description. */

import { projectConfigTexts } from "../project/project-config-texts.ts";

export const componentTexts: Readonly<Record<string, string>> = {
  Account: "A conta: plano, o que ele dá e o que já se usa dele.",
  ActivityEntry:
    "O que foi feito na conta, por quem e de onde. Nunca leva segredos: de variáveis, só os nomes.",
  ApiKey: "Uma chave de API. A chave inteira só aparece na resposta que a cria.",
  Id: "26 caracteres em base32 de Crockford; ids mais novos vêm depois na ordem.",
  ImagePullEvent:
    "O que uma máquina faz de um pedido de imagens. Um stream sem `pull-ended` no fim foi cortado. Na rede, `event` é um campo SSE e `data` é JSON.",
  LastExit: "A última vez que o processo terminou.",
  LogEvent:
    "Um evento do stream: `log` é uma linha, `status` uma mudança do projeto, `gap` diz que linhas se perderam. Na rede, `event` e `id` são campos SSE e `data` é JSON.",
  LogGap: "Linhas que se perderam, por enchente ou por idade.",
  LogLine: "Uma linha de log.",
  MetricPoint: "Médias de um intervalo. Um intervalo sem medida não tem ponto.",
  Metrics: "Uso do projeto ao longo do tempo, do ponto mais velho ao mais novo.",
  NewKey: "A chave a criar: diga `level`, `scopes`, ou os dois.",
  PanelSession: "Uma sessão do painel.",
  Person: "Quem entra no painel.",
  Project: "Um projeto. Todos os campos estão sempre presentes.",
  ProjectError: "Por que o projeto não está no ar.",
  ProjectEvent: "O que aconteceu com o projeto, e por quê.",
  ProjectPatch:
    "Pelo menos um campo. `name` e `description` valem na hora; os outros, no próximo início. Os valores seguem as regras do svc.json e do plano.",
  Scope: "O que uma chave pode fazer.",
  SignedIn: "Quem entrou, em qual conta e com qual sessão.",
  SystemPackage: "Pacote de sistema que um projeto pode pedir.",
  Timestamp: "ISO 8601 em UTC, com milissegundos e `Z`.",
  Usage: "O que o projeto usa agora.",
};

/** By schema or operation, then by field. */
const texts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ImagePullEvent: { event: "O que aconteceu.", data: "Em qual máquina, e com qual imagem." },
  Project: {
    ...projectConfigTexts,
    id: "Id do projeto.",
    description: 'Descrição que o painel mostra; `""` quando não há.',
    version: 'Versão da linguagem; `""` em `static`.',
    entry: "Arquivo principal que o comando roda; null quando o comando é outro, como `npm start`.",
    command: 'Comando de início; `""` em `static`.',
    installCommand: 'Comando de instalação; null: instalação automática da linguagem; `""`: nada se instala.',
    root: 'Só `static`: pasta servida (`""` é a raiz); null nas outras linguagens.',
    systemPackages: "Pacotes de sistema, na ordem da lista.",
    port: "Só sites: porta em que o app escuta, também na variável `PORT`; null em bots.",
    subdomain: "Só sites: nome no domínio dos sites; null em bots.",
    url: "Só sites: endereço público; null em bots.",
    internalHost:
      "Nome interno fixo, pelo qual os outros projetos da conta alcançam este. Não é um endereço público.",
    status: "Estado atual.",
    error: "O motivo, quando o estado é `error` ou `crash_loop`; senão null.",
    hasAutoRestart: "Nos planos pagos o projeto volta sozinho depois de cair.",
    consecutiveCrashes:
      "Quedas seguidas desde a última vez que rodou 60 segundos; com 5, o estado é `crash_loop`.",
    lastExit: "A última vez que o processo terminou; null se nunca terminou.",
    usage: "Uso atual; só quando o estado é `running`.",
    startedAt: "Quando subiu; só quando o estado é `running`.",
    templateId: "Template de que o projeto foi criado; null se veio de um .zip.",
    restoredFromBackupId: "Backup de que o projeto foi criado; null nos outros.",
  },
  ProjectError: { code: "Motivo, fixo.", message: "Explicação em português." },
  LastExit: {
    code: "Código de saída; 128 mais o número do sinal quando um sinal o terminou.",
    isOutOfMemory: "Se passou da memória do projeto.",
    exitedAt: "Quando terminou.",
  },
  Usage: {
    memoryMb: "Memória em uso, em MB.",
    cpuPercent: "Uso do processador; 100 é um núcleo inteiro.",
    networkInBps: "Bytes recebidos por segundo.",
    networkOutBps: "Bytes enviados por segundo.",
  },
  ProjectPatch: projectConfigTexts,
  createProject: {
    ...projectConfigTexts,
    systemPackages: "Pacotes de sistema, separados por vírgula.",
    start: "`true` inicia o projeto depois da instalação. Sem isso, um projeto novo fica parado.",
  },
  uploadCode: {
    ...projectConfigTexts,
    systemPackages: "Pacotes de sistema, separados por vírgula.",
    start: "`true` inicia depois da instalação; um projeto que estava no ar volta sozinho.",
  },
  listProjects: {
    limit: "Quantos por página, de 1 a 200; só com `cursor`, 100.",
    nextCursor: "Só com `limit` ou `cursor`: cursor da próxima página; null no fim.",
  },
  updateProject: { isRestartRequired: "Se a mudança espera o próximo início." },
  LogLine: {
    section: "`install` é Instalação, `app` é Aplicação.",
    stream: "`system`: linhas que o próprio serviço escreve para o dono.",
    version: "O envio que escreveu a linha.",
    text: "O texto. Linhas com mais de 16 KB chegam cortadas e marcadas.",
  },
  LogEvent: {
    event: "Tipo do evento.",
    id: "Cursor desta linha, para continuar depois dela.",
    data: "O conteúdo do evento.",
  },
  "LogEvent.data": {
    status: "Estado do projeto.",
    lastExit: "A última vez que o processo terminou.",
  },
  LogGap: { at: "Onde, entre as linhas.", droppedLines: "Quantas linhas se perderam." },
  streamLogs: {
    lines: "Quantas das últimas linhas vêm primeiro, até 1000.",
    section: "Só Instalação (`install`), só Aplicação (`app`) ou as duas.",
    follow: "`false`: um documento JSON com o que há, em vez do stream.",
    since: "Só linhas a partir deste momento.",
    until: "Só linhas até este momento; passado ele, o stream termina depois da última.",
    q: "Só linhas que contêm este texto, entre todas as guardadas.",
    stream: "Só linhas desta saída.",
    cursor: "Continua depois desta linha; o mesmo que o cabeçalho `Last-Event-ID`.",
    before:
      "Só linhas que vêm antes deste cursor, em geral o `previousCursor` de uma página, com os mesmos filtros dela. Só num documento JSON, e não junto com `cursor`.",
    previousCursor:
      "Para a página das linhas mais velhas, em `before`; null quando nenhuma mais velha está guardada nesse filtro. Com `cursor`, é ele mesmo.",
    gaps: "Onde se perderam linhas depois do `cursor`, da mais velha à mais nova; sem `cursor`, vazio.",
  },
  getMetrics: { range: "Até onde no passado." },
  Metrics: {
    stepSeconds: "Distância entre dois pontos, em segundos.",
    memoryLimitMb: "Quanta memória o projeto pode usar, em MB: a da execução atual ou, parado, a da próxima.",
    cpuLimitPercent:
      "Quanto processador pode usar; 100 é um núcleo inteiro. null em `static`, que não tem processo.",
    diskLimitMb: "Quanto os arquivos do projeto podem ocupar no plano da conta.",
    points: "Os pontos; lacunas ficam lacunas.",
  },
  MetricPoint: {
    at: "Começo do intervalo.",
    memoryMb: "Memória em uso, em MB.",
    cpuPercent: "Uso do processador; 100 é um núcleo inteiro.",
    networkInBps: "Bytes recebidos por segundo.",
    networkOutBps: "Bytes enviados por segundo.",
    diskMb: "Quanto os arquivos do projeto ocupam; null enquanto não foi medido.",
  },
  Account: {
    id: "Id da conta.",
    plan: "Plano.",
    memoryMb: "Memória reservada pelos projetos, em MB.",
    projects: "Projetos.",
    sites: "Sites entre os projetos.",
    requests: "Requisições com chave, todas as chaves somadas.",
    suspendedAt: "Desde quando a conta está suspensa; null se não está.",
    stopsAt: "Quando os projetos de uma conta suspensa param; null se ela não está suspensa.",
    betaEndsAt: "Quando a conta volta ao plano Free; null se não há data.",
  },
  "Account.requests": { perMinute: "Janela de um minuto.", perDay: "Janela de um dia." },
  ActivityEntry: {
    id: "Id do registro.",
    action: "O que foi feito.",
    actor: "Quem fez.",
    project: "Em qual projeto, com o nome daquele momento; null se em nenhum.",
    address: "De onde veio a requisição; null quando foi o próprio serviço.",
    before: "Os campos antes da mudança.",
    after: "Os campos depois da mudança.",
  },
  "ActivityEntry.actor": {
    kind: "`key`: chave de API; `session`: pessoa no painel; `operator`: operador; `service`: o próprio serviço.",
    name: "Nome da chave ou da pessoa.",
  },
  ProjectEvent: {
    id: "Id do evento.",
    kind: "O que aconteceu.",
    actor: "Quem causou; null quando foi o próprio programa.",
    exit: "Em `exit` e `crash`: como o processo terminou.",
  },
  "ProjectEvent.actor": {
    kind: "`key`: chave de API; `session`: pessoa no painel; `operator`: operador; `service`: o próprio serviço.",
    name: "Nome da chave ou da pessoa.",
  },
  "ProjectEvent.exit": { code: "Código de saída.", isOutOfMemory: "Se passou da memória do projeto." },
  ApiKey: {
    id: "Id da chave.",
    name: "Nome que se deu à chave.",
    prefix: "Os primeiros caracteres da chave.",
    level:
      "`read`: Leitura; `write`: Leitura e escrita. Segue de `scopes`: com uma permissão que muda algo, é `write`.",
    scopes: "Tudo que a chave pode fazer.",
    lastUsedAt: "Último uso, ao minuto; null se nunca foi usada.",
  },
  NewKey: {
    name: "Nome da chave, para achá-la na lista.",
    level:
      "As permissões de Leitura (`read`) ou de Leitura e escrita (`write`), às quais se somam as de `scopes`.",
    scopes: "Permissões além das do nível; sem nível, só estas.",
    password: "A senha da conta, de novo.",
  },
  createKey: {
    key: "A chave como a lista a mostra.",
    secret: "A chave inteira. Guarde agora: não aparece outra vez.",
  },
  PanelSession: {
    id: "Id da sessão.",
    isCurrent: "Se é a sessão desta requisição.",
    address: "Endereço de onde se entrou.",
    userAgent: "Navegador com que se entrou.",
    expiresAt: "Quando vence.",
  },
  Person: { name: "Nome.", email: "E-mail.", hasTwoFactor: "Se a entrada em duas etapas está ligada." },
  SignedIn: { session: "A sessão.", person: "Quem entrou.", account: "Em qual conta." },
  signIn: { isTwoFactorRequired: "Se falta o código do autenticador, em POST /sign-in/two-factor." },
  signUp: { name: "Seu nome.", invitation: "O convite, onde o cadastro é só por convite." },
  beginTwoFactor: { uri: "Endereço otpauth, que o autenticador lê como código QR." },
  resetPassword: { password: "A senha nova." },
  listVariables: { variables: "Nome e valor de cada variável." },
  setVariables: { variables: "Nome e valor de cada variável; na requisição, substituem todas." },
  changeVariables: {
    variables: "Nome e valor de cada variável; na requisição, null remove e as que não vêm ficam como estão.",
  },
  getHealth: { health: "O serviço agora." },
  "getHealth.health": {
    state: "`operational`: tudo bem; `degraded`: alguns servidores não respondem; `down`: nenhum responde.",
    at: "Quando se olhou.",
  },
};

/** Fields that mean the same wherever they stand. */
const commonTexts: Readonly<Record<string, string>> = {
  id: "Id.",
  keyId: "Id da chave.",
  sessionId: "Id da sessão.",
  name: "Nome.",
  at: "Quando.",
  createdAt: "Quando foi criado.",
  updatedAt: "Última mudança.",
  limit: "O máximo.",
  used: "Em uso.",
  free: "O que resta.",
  remaining: "Requisições que ainda cabem.",
  resetSeconds: "Segundos até a janela recomeçar.",
  cursor: "O `nextCursor` da página anterior.",
  nextCursor: "Cursor da próxima página; null no fim.",
  project: "O projeto.",
  projects: "Os projetos.",
  account: "A conta.",
  activity: "Os registros, do mais novo ao mais antigo.",
  events: "Os eventos, do mais novo ao mais antigo.",
  keys: "As chaves.",
  hosts: "As máquinas.",
  sessions: "As sessões.",
  session: "A sessão.",
  person: "A pessoa.",
  lines: "As linhas, da mais velha à mais nova.",
  variables: "Nome e valor de cada variável.",
  isRestartRequired: "Se a mudança espera o próximo início.",
  token: "O que veio no link.",
  email: "E-mail.",
  password: "Senha.",
  currentPassword: "A senha de agora.",
  newPassword: "A senha nova, de 10 caracteres ou mais.",
  code: "Os seis dígitos que o autenticador mostra agora.",
  recoveryCode: "Um dos códigos de recuperação; cada um vale uma vez.",
  recoveryCodes: "Códigos de recuperação. Guarde agora: não aparecem outra vez.",
};

export function fieldText(owner: string, field: string): string | undefined {
  const own = texts[owner];
  if (own !== undefined && Object.hasOwn(own, field)) return own[field];
  // A page's own limit is a query, not a quota.
  if (field === "limit" && owner.startsWith("list")) return "Quantos por página, de 1 a 200.";
  return Object.hasOwn(commonTexts, field) ? commonTexts[field] : undefined;
}
