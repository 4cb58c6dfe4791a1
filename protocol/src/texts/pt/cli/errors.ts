/** Texts for what went wrong, and what to do about it. */

export const errors = {
  errors: {
    notLoggedIn: "Ainda não há chave de API guardada. Rode tijolo login, ou defina TIJOLO_URL e TIJOLO_KEY.",
    notOperator:
      "Ainda não há token de operador. Rode tijolo cluster login, ou defina TIJOLO_URL e TIJOLO_OPERATOR_TOKEN.",
    otherServer: (url: string) =>
      `O que está guardado é para outro endereço, não para ${url}. Rode o login de novo para ele, ou defina a chave pelo ambiente.`,
    noAnswer: (url: string) => `${url} não respondeu. Confira o endereço, a rede, e se o Tijolo está no ar.`,
    unexpectedAnswer: (what: string) =>
      `A resposta não é a de um central do Tijolo (${what}). Confira o endereço, e se há um proxy no caminho.`,
    unexpected:
      "Isso não devia acontecer. Repita com TIJOLO_DEBUG=1 e mostre o resultado a quem mantém o Tijolo.",
    badUrl: (url: string) => `${url} não é um endereço http ou https.`,
    badConfiguration: (file: string) =>
      `O arquivo ${file} está estragado. Apague-o e rode tijolo login de novo.`,
    noFolder: (path: string) => `A pasta ${path} não existe.`,
    emptyFolder: (path: string) =>
      `Não há o que enviar em ${path}: a pasta está vazia ou tudo nela é ignorado.`,
    noProjectHere: (path: string) =>
      `${path} ainda não tem projeto. Rode tijolo up nela, ou diga o id ou o nome do projeto (tijolo list).`,
    noSuchProject: (name: string) => `Nenhum projeto se chama "${name}". Veja tijolo list.`,
    projectOrVariable: (name: string) =>
      `"${name}" é um projeto seu e também pode ser uma variável. Para o projeto: -p ${name}. Para a variável, diga o projeto dela com -p.`,
    newOrProject: "--new cria um projeto e -p diz um que já existe. Use só um dos dois.",
    manyProjects: (name: string) => `Mais de um projeto se chama "${name}". Diga o id (tijolo list).`,
    noSuchVersion: (number: number) => `O projeto não tem a versão ${number} guardada. Veja tijolo versions.`,
    noEarlierVersion:
      "Nenhuma versão anterior que subiu está guardada. Para voltar a outra, diga o número; veja tijolo versions.",
    downloadDamaged: "O que chegou não é o .zip que foi enviado; nada foi gravado. Tente de novo.",
    notSite: "Este projeto é um bot: não tem endereço.",
    tookTooLong: (seconds: number, status: string) =>
      `Depois de ${seconds} s o projeto ainda está ${status}. Ele continua; acompanhe com tijolo status e tijolo logs -f.`,
    fieldIs: (name: string, value: string) => `${name}: ${value}`,
    fields: {
      field: "campo",
      requiredScope: "permissão que falta",
      requiredRole: "papel que falta",
      limitMb: "limite em MB",
      limit: "limite",
      reason: "motivo",
      supported: "aceitos",
      freeMemoryMb: "memória livre em MB",
      requestedMemoryMb: "memória pedida em MB",
      variables: "variáveis",
      sizeBytes: "tamanho em bytes",
      requestId: "id da requisição",
    },
    tryAgainIn: (seconds: number) => `Tente de novo em ${seconds} s.`,
    badVariableName: (name: string) =>
      `"${name}" não é nome de variável: use letras, números e _, sem número no começo, até 256 caracteres.`,
    reservedVariable: (name: string) =>
      `${name} é do próprio Tijolo (PORT, HOST e SVC_*) e não pode ser trocada.`,
    noSuchVariable: (names: string) => `O projeto não tem a variável ${names}. Veja tijolo env list.`,
    oneFromInput: "Só uma variável por vez pode vir da entrada.",
    emptyInput: (name: string) =>
      `A entrada está vazia: ${name} ficaria sem valor. Diga ${name}=valor, ou mande o valor pela entrada (… | tijolo env set ${name}). Para um valor vazio: ${name}=`,
    noFile: (path: string) => `O arquivo ${path} não existe.`,
    fileFailed: (path: string, why: string) =>
      `Não deu para ler ou gravar ${path}: ${why}. Confira o caminho e as permissões.`,
    notUtf8: (path: string) => `${path} não é texto em UTF-8. Grave-o em UTF-8 e tente de novo.`,
    fileExists: (path: string) => `${path} já existe. Use --force para trocá-lo, ou diga outro arquivo.`,
    emptyFile: (path: string) => `${path} não tem nenhuma variável no formato NOME=valor.`,
    unreadableLines: (path: string, lines: string) =>
      `Nada foi enviado: há o que corrigir em ${path}:\n${lines}`,
    unreadableLine: (line: number, what: string) => `  linha ${line}: ${what}`,
    moreLines: (count: number) => `  e mais ${count}`,
    lineProblems: {
      notKeyValue: "não tem a forma NOME=valor",
      openQuote: "as aspas não fecham",
      afterQuote: "há texto depois das aspas que fecham o valor",
    },
    wouldRemove: (names: string) => `Isto removeria ${names}. Confirme com --yes.`,
    notConfirmed: "Nada foi mudado.",
    noSuchSetting: (name: string, names: string) => `Não existe a configuração "${name}". Existem: ${names}.`,
    notKeyValue: (word: string) => `"${word}" não tem a forma nome=valor.`,
    badTime: (option: string) =>
      `${option} deve ser um tempo atrás (30m, 2h, 7d) ou uma data (2026-01-31T12:00).`,
    noUrl: "O endereço do Tijolo ainda não é conhecido: rode tijolo login, ou use --url.",
    noEmail: "Sem terminal, o e-mail vem de --email ou de TIJOLO_EMAIL.",
    noPassword: "Sem terminal, a senha vem da entrada: use --password-stdin e TIJOLO_EMAIL (ou --email).",
    noCode: "A conta pede o segundo passo: diga o código com --code.",
    passwordsDiffer: "As duas senhas não são iguais. Tente de novo.",
    shortPassword: "A senha precisa de 10 a 200 caracteres.",
    noSuchKey: (name: string) => `Nenhuma chave se chama "${name}". Veja tijolo keys list.`,
    manyKeys: (name: string) => `Mais de uma chave se chama "${name}". Diga o id (tijolo keys list).`,
  },
  hints: {
    invalid_api_key: "Rode tijolo login com uma chave válida, ou crie uma: tijolo keys create --save",
    insufficient_permission: "Crie uma chave de leitura e escrita: tijolo keys create --level write --save",
    insufficient_scope: "Crie uma chave com essa permissão: tijolo keys create --save",
    missing_config: "Crie um svc.json na pasta ou use --language e --command.",
    subdomain_taken: "Escolha outro com --subdomain.",
    reserved_subdomain: "Escolha outro com --subdomain.",
    install_pending: "Corrija e rode tijolo up.",
    project_busy: "Acompanhe com tijolo status.",
    site_not_allowed: "Envie com --type bot ou mude de plano.",
    invalid_link: "Peça outro link ao operador.",
    key_limit_reached: "Veja as que existem com tijolo keys list e revogue uma com tijolo keys revoke.",
    payload_too_large: "As variáveis juntas podem ter até 32 KB.",
  },
};
