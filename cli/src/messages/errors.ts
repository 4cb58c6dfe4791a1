/** What went wrong, and what to do about it. */

const pt = {
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
      requestId: "id da requisição",
    } as Record<string, string>,
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
  } as Record<string, string>,
};

const en: typeof pt = {
  errors: {
    notLoggedIn: "No API key is stored yet. Run tijolo login, or set TIJOLO_URL and TIJOLO_KEY.",
    notOperator:
      "No operator token is stored yet. Run tijolo cluster login, or set TIJOLO_URL and TIJOLO_OPERATOR_TOKEN.",
    otherServer: (url) =>
      `What is stored is for another address than ${url}. Log in again for it, or set the key by environment.`,
    noAnswer: (url) => `${url} did not answer. Check the address, the network, and that Tijolo is up.`,
    unexpectedAnswer: (what) =>
      `The answer is not that of a central of Tijolo (${what}). Check the address, and for a proxy in between.`,
    unexpected:
      "This should not happen. Repeat with TIJOLO_DEBUG=1 and show the result to the maintainers of Tijolo.",
    badUrl: (url) => `${url} is no http or https address.`,
    badConfiguration: (file) => `The file ${file} is damaged. Remove it and run tijolo login again.`,
    noFolder: (path) => `The folder ${path} does not exist.`,
    emptyFolder: (path) =>
      `There is nothing to upload in ${path}: the folder is empty or all of it is ignored.`,
    noProjectHere: (path) =>
      `${path} has no project yet. Run tijolo up in it, or name the project by id or name (tijolo list).`,
    noSuchProject: (name) => `No project is called "${name}". See tijolo list.`,
    projectOrVariable: (name) =>
      `"${name}" is a project of yours and may be a variable as well. For the project: -p ${name}. For the variable, name its project with -p.`,
    newOrProject: "--new creates a project and -p names one that exists. Use only one of them.",
    manyProjects: (name) => `More than one project is called "${name}". Give the id (tijolo list).`,
    notSite: "This project is a bot: it has no address.",
    tookTooLong: (seconds, status) =>
      `After ${seconds} s the project is still ${status}. It goes on; follow it with tijolo status and tijolo logs -f.`,
    fieldIs: (name, value) => `${name}: ${value}`,
    fields: {
      field: "field",
      requiredScope: "missing scope",
      requiredRole: "missing role",
      limitMb: "limit in MB",
      limit: "limit",
      reason: "reason",
      supported: "supported",
      freeMemoryMb: "free memory in MB",
      requestedMemoryMb: "requested memory in MB",
      variables: "variables",
      requestId: "request id",
    },
    tryAgainIn: (seconds) => `Try again in ${seconds} s.`,
    badVariableName: (name) =>
      `"${name}" is no variable name: use letters, digits and _, no digit first, at most 256 characters.`,
    reservedVariable: (name) => `${name} is Tijolo's own (PORT, HOST and SVC_*) and cannot be set.`,
    noSuchVariable: (names) => `The project has no variable ${names}. See tijolo env list.`,
    oneFromInput: "Only one variable at a time can come from the input.",
    emptyInput: (name) =>
      `The input is empty: ${name} would have no value. Give ${name}=value, or pipe the value in (… | tijolo env set ${name}). For an empty value: ${name}=`,
    noFile: (path) => `The file ${path} does not exist.`,
    fileFailed: (path, why) => `Could not read or write ${path}: ${why}. Check the path and its permissions.`,
    fileExists: (path) => `${path} exists. Use --force to replace it, or name another file.`,
    emptyFile: (path) => `${path} has no variable in the form NAME=value.`,
    unreadableLines: (path, lines) => `Nothing was sent: there is something to correct in ${path}:\n${lines}`,
    unreadableLine: (line, what) => `  line ${line}: ${what}`,
    moreLines: (count) => `  and ${count} more`,
    lineProblems: {
      notKeyValue: "is not of the form NAME=value",
      openQuote: "the quote does not close",
      afterQuote: "there is text after the quote that closes the value",
    },
    wouldRemove: (names) => `This would remove ${names}. Confirm with --yes.`,
    notConfirmed: "Nothing was changed.",
    noSuchSetting: (name, names) => `There is no setting "${name}". There are: ${names}.`,
    notKeyValue: (word) => `"${word}" is not of the form name=value.`,
    badTime: (option) => `${option} must be a time ago (30m, 2h, 7d) or a date (2026-01-31T12:00).`,
    noPassword:
      "Without a terminal the password comes from the input: use --password-stdin and TIJOLO_EMAIL (or --email).",
    noCode: "The account asks for the second step: give the code with --code.",
    passwordsDiffer: "The two passwords differ. Try again.",
    shortPassword: "The password needs 10 to 200 characters.",
    noSuchKey: (name) => `No key is called "${name}". See tijolo keys list.`,
    manyKeys: (name) => `More than one key is called "${name}". Give the id (tijolo keys list).`,
  },
  hints: {
    invalid_api_key: "Run tijolo login with a valid key, or create one: tijolo keys create --save",
    insufficient_permission: "Create a read and write key: tijolo keys create --level write --save",
    insufficient_scope: "Create a key with that scope: tijolo keys create --save",
    missing_config: "Create an svc.json in the folder or use --language and --command.",
    subdomain_taken: "Choose another with --subdomain.",
    reserved_subdomain: "Choose another with --subdomain.",
    install_pending: "Fix it and run tijolo up.",
    project_busy: "Follow it with tijolo status.",
    site_not_allowed: "Upload with --type bot or change the plan.",
    invalid_link: "Ask the operator for another link.",
    key_limit_reached: "See those that exist with tijolo keys list and revoke one with tijolo keys revoke.",
    payload_too_large: "The variables together may take 32 KB.",
  },
};

export const errors = { pt, en };
