/** Says why a rule of central refuses what a request asks for. */

export const refusalDetails = {
  archivesWait: "Não é por sua causa: agora há arquivos .zip demais esperando para serem conferidos.",
  passwordsWait: "Não é por sua causa: agora há senhas demais esperando para serem conferidas.",
  projectRequestsWait: "Já há requisições demais esperando por ele.",
  keyRequestsWait: "Já há requisições demais esperando com esta Idempotency-Key.",
  keyUsedOtherwise: "Esta Idempotency-Key já foi usada com outra requisição. Use outra.",
  periodEndsFirst: "O começo do período tem de vir antes do fim; sem end, o fim é agora.",
  periodTooLong: (days: number) => `O período pode ter até ${days} dias.`,
  limitOfSession: "É o desta sessão, não o do seu plano.",
  limitOfPlan: "É o do seu plano, para todas as chaves da conta juntas.",
  liveStreamsAtOnce: (count: number) =>
    `Há ${count} streams ao vivo desta sessão abertos ao mesmo tempo; feche um deles.`,
  logsAtOnce: (count: number) => `Há ${count} logs abertos ao mesmo tempo; feche um deles.`,
  uploadsAtOnce: (count: number) =>
    `Há ${count} envios em andamento ao mesmo tempo; espere um deles terminar.`,
  downloadsAtOnce: (count: number) =>
    `Há ${count} downloads de versões ao mesmo tempo; espere um deles terminar.`,
  noSuchVersion: (number: number, kept: string) =>
    `O projeto não tem a versão ${number} guardada. Guardadas: ${kept}.`,
  noSitePage: (status: string) =>
    `O site não tem uma página ${status} própria: os visitantes veem a do serviço.`,
  nothingReplaced: (number: number) =>
    `Dos arquivos que a versão ${number} trocou, nenhum assim está guardado. Veja quais há: tijolo replaced list.`,
  versionOfStaticSite: (number: number) =>
    `A versão ${number} é de um site static, e o projeto agora é um bot. Mude type para site antes de voltar a ela.`,
  memoryOfPlan: (planMb: number) => `O seu plano tem ${planMb} MB ao todo: peça até isso, ou mude de plano.`,
  memoryHeldBy: (
    holders: readonly { name: string; memoryMb: number; isOn: boolean }[],
    { freeMb, planMb }: { freeMb: number; planMb: number },
  ) =>
    `Restam ${freeMb} MB de ${planMb}. Um projeto parado também guarda a memória dele: ${holders
      .map(({ name, memoryMb, isOn }) => `${name} (${memoryMb} MB, ${isOn ? "ligado" : "parado"})`)
      .join(", ")}. Apague um deles ou diminua a memoryMb dele.`,
  memoryRunBy: (
    holders: readonly { name: string; memoryMb: number }[],
    { freeMb, planMb }: { freeMb: number; planMb: number },
  ) =>
    `Restam ${freeMb} MB de ${planMb}. Ligados agora: ${holders
      .map(({ name, memoryMb }) => `${name} (${memoryMb} MB)`)
      .join(", ")}. Pare um deles, ou diminua a memoryMb deste projeto${
      freeMb > 0 ? ` até ${freeMb} MB` : " ou de outro"
    }.`,
  orStopAnother: "Ou pare outro projeto antes.",
  noCommandOrEntry: "Falta command ou entry.",
  variablesTooLarge: (limitKb: number) => `Nomes e valores das variáveis somam no máximo ${limitKb} KB.`,
  noVariables: "O projeto não tem variáveis.",
  variablesOpen: "As variáveis deste projeto abrem: quem as muda é o dono do projeto.",
  svcJsonNotText: (limitKb: number) => `O svc.json deve ser um texto em UTF-8 de no máximo ${limitKb} KB.`,
  svcJsonLacks: (field: string) => `Falta ${field} no svc.json.`,
  uploadChangesSettings: (fields: string) =>
    `O envio mudaria a configuração (${fields}), e esta chave só pode enviar código: deixe esses campos como estão, ou use uma chave com projects:settings.`,
  beforeOfStream: "Campo: before (só com follow=false ou Accept: application/json).",
  noSuchHost: (wanted: string) => `Nenhuma máquina tem o id ou o nome ${wanted}.`,
  badJoinToken: "O convite está errado, já foi usado ou venceu.",
  hostRevoked: "A máquina desta chave (identity.pem) foi revogada.",
  noHostHasProject: "Nenhuma máquina que respondeu tem este projeto.",
  noOrphan: "Este projeto não é órfão: a central o tem nesta máquina.",
  heldBackHere:
    "A central tem este projeto nesta máquina, em um estado mais antigo: adote-o, ou o dono o apaga.",
  orphanHasNoSettings:
    "A máquina só tem arquivos deste projeto, não as configurações: ele não pode ser adotado. Copie o que precisar do disco dele antes de removê-lo.",
  orphanUnproven:
    "O que a máquina diz deste projeto não tem a assinatura desta central. Se você confia na máquina, use --trust-host.",
  orphanOfOtherAccount: "A central tem este projeto em outra conta, e nela ele fica.",
  orphanHasNoAccount: (accountId: string) =>
    `A central não tem a conta ${accountId}. Diga com --account a conta que fica com ele.`,
  orphanOnManyHosts: (names: string) =>
    `Mais de uma máquina tem este projeto; diga qual com --host: ${names}.`,
  masterKeysGone: "O arquivo de chaves mestras sumiu: devolva-o antes de trocar a chave.",
  masterKeyRotating: "A chave mestra já está sendo trocada.",
  invitesNobody: "Com TIJOLO_SIGN_UP=closed um convite não serve: ponha invitation e reinicie o central.",
  invitationNeeded: "Só se entra com um convite.",
  privateWebhook:
    "Campo: webhook (o endereço é de uma rede interna; um webhook deve ser alcançável pela internet).",
  manyNewAccounts: "Da sua rede já foram criadas contas demais por agora.",
  passkeysNeedName:
    "O navegador só as aceita onde o endereço é um nome, não um IP: o operador define TIJOLO_PANEL_URL com o nome do painel.",
  passkeysNeedTls: "O navegador só as aceita por https: o operador define TIJOLO_PANEL_URL com https.",
  passkeysElsewhere: (url: string) => `Abra o painel em ${url}.`,
  personIsAnother: (email: string) =>
    `A pessoa desta conta é ${email}: peça o link para esse e-mail, ou sem e-mail.`,
};
