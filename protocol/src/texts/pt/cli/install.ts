/** Texts of the installer, and of `tijolo doctor`. */

export const install = {
  help: `Uso: ./install all [--yes]          a central, o gateway e os projetos nesta máquina, como serviços
     ./install central [--yes]      instala a central e o gateway como serviços (roda de novo: conserta, ou não muda nada)
     ./install host --central URL [--authority ARQUIVO] [--token-file ARQUIVO] [--yes]
     ./install gateway --central URL --authority ARQUIVO [--token-file ARQUIVO] [--yes]
     ./install packages bookworm|trixie [--architecture x64|arm64] [--mirror URL] [--output PASTA] [--json]
                                    busca os pacotes do Debian para máquinas sem internet
     ./install uninstall central|host|gateway [--purge]
     ./install uninstall host --with-projects [--purge]

--no-gateway deixa as portas 80 e 443 livres: os visitantes chegam por outra máquina, ou por outro programa.

--with-projects encerra os projetos que estão na máquina: quando a central a revogou, ou se foi de vez.

--purge apaga também os dados, as configurações e as chaves. --lang en mostra em inglês.`,
  askSiteDomain: "Domínio dos sites, como sites.exemplo.dev (Enter: só esta máquina, em *.localhost)",
  askPanelName: "Nome do painel, como painel.exemplo.dev (Enter: aberto só desta máquina)",
  askLetsEncrypt: "Certificados da Let's Encrypt? Dizer sim aceita os termos dela [S/n]",
  noName: (text: string) => `"${text}" não é um nome de domínio. Um exemplo: sites.exemplo.dev`,
  panelBelowSites: "O painel não pode ficar abaixo do domínio dos sites: esse nome pode ser de um site.",
  recordsNeeded: (names: string) =>
    `No DNS, estes nomes devem levar ao endereço público desta máquina, com as portas 80, 443 e 8444 abertas:\n  ${names}`,
  steps: {
    packages: "pacotes do sistema",
    hostPackages: "pacotes do Debian para as outras máquinas",
    tools: "pacotes das ferramentas do agente",
    join: "convite",
    tree: "programas em /opt/tijolo/releases",
    user: "usuário tijolo",
    settings: "configurações em /etc/tijolo",
    masterKeys: "chaves mestras em /etc/tijolo/master-keys",
    releases: "pacotes para as outras máquinas",
    countries: "tabelas de países",
    countriesRenewal: "renovação diária das tabelas de países",
    data: "dados em /var/lib/tijolo",
    link: "versão em uso",
    command: "comando tijolo",
    releaseKey: "chave dos pacotes",
    units: "unidades do systemd",
    service: "serviço no ar",
    haproxy: "HAProxy",
    gatewaySettings: "configurações em /etc/tijolo/gateway.env",
    gatewayJoin: "convite do gateway",
    authority: "autoridade da central",
    gatewayUnit: "unidade tijolo-gateway do systemd",
    haproxyRenewal: "renovação diária de um HAProxy baixado",
    gateway: "gateway no ar",
  },
  done: (step: string) => `✓ ${step}`,
  unchanged: (step: string) => `· ${step}: já estava`,
  checked: (well: number) => `✓ ${well} verificações de tijolo doctor estão bem`,
  stepFailed: (step: string, reason: string) => `Falhou em "${step}": ${reason}`,
  asBefore: "Tudo o que mudou foi desfeito: a máquina está como antes.",
  centralStays:
    "O que mudou para o host foi desfeito. A central e o gateway estão instalados e ficam; o mesmo comando continua com o host.",
  centralStaysDown: (lines: string) =>
    `A central da versão anterior não sobe: os dados dela podem ser da versão nova. Instale de novo a versão nova, ou restaure um backup (docs/backup.md).\n${lines}`,
  notAsBefore: (what: string) => `Isto não pôde ser desfeito:\n${what}`,
  needsRoot: "Rode como root (sudo), em Linux.",
  needsSystemd: "Esta máquina não é iniciada por systemd (/run/systemd/system não existe).",
  isOlder: (version: string) =>
    `Está em uso a versão ${version}, mais nova que esta: os dados dela podem não abrir aqui. Use o pacote da ${version} ou de uma mais nova.`,
  damaged: (file: string) =>
    `Este pacote está incompleto ou foi alterado (${file}). Baixe e desempacote de novo.`,
  otherReleaseKey: (own: string, pinned: string, file: string) =>
    `Este pacote tem a chave ${own}, e esta máquina só aceita ${pinned}: ele pode ser de outra pessoa. Pergunte quem o fez. Se a troca é sua, apague ${file} e rode a linha de novo.`,
  dataNotHere: (place: string, own: string) =>
    `TIJOLO_DATA_DIRECTORY (${place}) só vale para npm start: os serviços guardam os dados em ${own}. Para levar os seus, pare o npm start, rode cp -a ${place}/. ${own}/ e instale sem essa variável.`,
  dataElsewhere: (place: string, own: string) =>
    `Os dados de um npm start em ${place} não são levados. Se os quer, pare aqui e rode antes, com o npm start parado: mkdir -p ${own} && cp -a ${place}/. ${own}/`,
  noSpace: (where: string, free: number, needed: number) =>
    `Falta espaço em ${where}: há ${free} MB livres, e são precisos ${needed} MB.`,
  centralInstalled: (url: string, isChanged: boolean): string =>
    isChanged
      ? `A central está no ar em http://${url}. Logs: journalctl -u tijolo-central`
      : `Nada a mudar: a central está no ar em http://${url}.`,
  gatewayInstalled: (pattern: string) =>
    `O gateway recebe os visitantes: cada site em ${pattern}. Logs: journalctl -u tijolo-gateway`,
  portTaken: (address: string) =>
    `Outro programa ocupa ${address}, onde os visitantes chegam (veja qual: ss -ltnp). Encerre-o, ou escolha outro endereço com TIJOLO_HTTP_LISTEN e TIJOLO_HTTPS_LISTEN.`,
  portTakenAtCentral: (address: string) =>
    `Outro programa ocupa ${address}, onde os visitantes chegam (veja qual: ss -ltnp). Encerre-o, escolha outro endereço com TIJOLO_HTTP_LISTEN e TIJOLO_HTTPS_LISTEN, ou use --no-gateway.`,
  panelIsLocal: (api: string) =>
    `O painel só abre nesta máquina. De outra: ssh -L ${api.split(":").at(-1)}:${api} root@esta-máquina. Para todos: ponha TIJOLO_PANEL_URL="https://nome-desta-máquina" em /etc/tijolo/central.env e rode systemctl restart tijolo-central.`,
  startLink: (link: string) =>
    `Abra este link uma vez, em até 24 horas, para criar a primeira conta:\n\n${link}`,
  centralUninstalled: (isPurged: boolean): string =>
    isPurged
      ? "A central foi removida, com os dados."
      : "A central foi removida. Os dados estão em /var/lib/tijolo, as chaves em /etc/tijolo; --purge os apaga.",
  plainHttp: (url: string, kind: "host" | "gateway") =>
    `${url}: sem TLS e a autoridade da central (--authority) só em 127.0.0.1. De outra máquina, use a linha que tijolo cluster ${kind} add mostra.`,
  otherSystem: (name: string) =>
    `O sistema é ${name}; são precisos Debian 12 ou Ubuntu 24.04, ou mais novos.`,
  oldKernel: (version: string, oldest: string) =>
    `O kernel é ${version}; os contêineres precisam do ${oldest} ou mais novo.`,
  noCgroups: (names: string) =>
    `Não há como limitar os projetos: faltam os controladores ${names} do cgroup v2. É o padrão do Debian; veja cgroup_disable na linha do kernel.`,
  networkClash: (network: string, name: string) =>
    `A rede ${network}, dos projetos, já é usada nesta máquina (${name}). Escolha uma livre em todas as máquinas com TIJOLO_CLUSTER_CIDR da central; ou, só para este host, ponha TIJOLO_NETWORK_CIDR=10.x.y.0/21 no ambiente do instalador: uma parte da rede do cluster que esteja livre aqui e que nenhum outro host tenha.`,
  clockOff: (seconds: number) =>
    `O relógio desta máquina está ${Math.abs(seconds)} s ${seconds > 0 ? "adiantado" : "atrasado"} em relação ao da central; o limite são 60 s. Acerte-o (timedatectl set-ntp true).`,
  centralAway: (url: string, reason: string) => `A central não responde em ${url}: ${reason}`,
  noToken: (prefix: string, kind: "host" | "gateway") =>
    `Isto não é um convite para ${kind === "host" ? "uma máquina" : "um gateway"}: ele começa com ${prefix}. Faça um com tijolo cluster ${kind} add.`,
  noFile: (option: string, reason: string) =>
    `O arquivo de ${option} não pode ser lido: ${reason}. Copie de novo a linha que a central mostrou, ou confira o caminho.`,
  askToken: "Convite (tj…; não aparece)",
  goOn: "Continuar? [s/N]",
  nothingDone: "Nada foi mudado.",
  hostPlan: (name: string, url: string, packages: string) =>
    [
      `Esta máquina (${name}) vira uma máquina do cluster em ${url}:`,
      packages === "" ? "  pacotes do sistema: já estão aí" : `  pacotes do sistema: ${packages}`,
      "  programas em /opt/tijolo, dados em /var/lib/tijolo/agent, configurações em /etc/tijolo",
      "  serviço tijolo-agent do systemd, como root",
    ].join("\n"),
  gatewayPlan: (name: string, url: string, addresses: string) =>
    [
      `Esta máquina (${name}) vira um gateway do cluster em ${url}:`,
      `  os visitantes chegam em ${addresses}`,
      "  HAProxy, se falta; programas em /opt/tijolo, dados em /var/lib/tijolo/gateway, configurações em /etc/tijolo",
      "  serviço tijolo-gateway do systemd",
    ].join("\n"),
  farGatewayInstalled: (isChanged: boolean): string =>
    isChanged
      ? "Esta máquina é um gateway do cluster. Faça os nomes dos sites e do painel levarem também a ela. Logs: journalctl -u tijolo-gateway"
      : "Nada a mudar: esta máquina é um gateway do cluster.",
  gatewayIsCentrals:
    "A central está nesta máquina, e o gateway dela vem e vai com ela: ./install central, ./install uninstall central.",
  gatewayUninstalled: (isPurged: boolean): string =>
    isPurged
      ? "O gateway foi removido, com os dados. Tire-o do cluster com tijolo cluster gateway remove."
      : "O gateway foi removido. Os dados estão em /var/lib/tijolo/gateway; --purge os apaga. Tire-o do cluster com tijolo cluster gateway remove.",
  allPlan: (name: string, packages: string) =>
    [
      `Esta máquina (${name}) vira um cluster inteiro:`,
      packages === "" ? "  pacotes do sistema: já estão aí" : `  pacotes do sistema: ${packages}`,
      "  programas em /opt/tijolo, dados em /var/lib/tijolo, configurações em /etc/tijolo",
      "  serviços tijolo-central, tijolo-gateway (portas 80 e 443) e tijolo-agent do systemd",
    ].join("\n"),
  noDebianKeyring: (file: string) =>
    `Falta ${file}, com que as assinaturas do Debian são conferidas: apt-get install debian-archive-keyring.`,
  noMirror:
    "O apt desta máquina não conhece um arquivo do Debian. Rode apt-get update antes, ou diga onde ele está: --mirror URL (com debian e debian-security abaixo).",
  fetchingPackages: (suite: string) => `Buscando pacotes de ${suite}…`,
  packagesFetched: (file: string, packages: number, bytes: number) =>
    `${file}: ${packages} pacotes, ${Math.ceil(bytes / 1e6)} MB. Na máquina da central, com ele ao lado da pasta da versão, rode ./install central.`,
  packagesDamaged: (file: string) =>
    `${file} está incompleto ou é de outro sistema. Copie-o de novo, ou faça outro com ./install packages.`,
  packagesOfOther: (file: string) => `${file} não é do sistema desta máquina (/etc/os-release).`,
  packagesRefused: (suite: string, packages: string, reason: string) =>
    `${reason}\nOs pacotes da central não servem nesta máquina; talvez ela seja mais nova que eles. Faça outros (./install packages ${suite}) e rode ./install central na central, ou instale aqui com apt-get install ${packages}.`,
  withoutCountries:
    "As tabelas de países não puderam ser trazidas: as análises seguem sem países. Rode de novo quando a máquina alcançar um repositório do Debian, ou com os pacotes de ./install packages.",
  noOperatorToken: (file: string) =>
    `Falta ${file}, com que esta máquina entraria no cluster. Faça um convite com tijolo cluster host add e rode ./install host --central http://127.0.0.1:8080.`,
  hostInstalled: (isChanged: boolean): string =>
    isChanged
      ? "Esta máquina está no cluster. Logs: journalctl -u tijolo-agent"
      : "Nada a mudar: esta máquina está no cluster.",
  hasProjects: (projects: number) =>
    `Há ${projects} ${projects === 1 ? "projeto" : "projetos"} nesta máquina. Apague-os antes (tijolo cluster host show os lista). Se a central revogou esta máquina ou se foi de vez, --with-projects os encerra.`,
  hostUninstalled: (isPurged: boolean): string =>
    isPurged
      ? "O agente foi removido, com os dados. Tire a máquina do cluster com tijolo cluster host revoke."
      : "O agente foi removido. Os dados estão em /var/lib/tijolo/agent; --purge os apaga. Tire a máquina do cluster com tijolo cluster host revoke.",
};
