/**
 * What the bootstrap says, in Portuguese and in English. These texts stand here and not in `protocol/src/texts`,
 * because they are read before the Node that runs TypeScript is there.
 */

const pt = {
  unknownTask: (task, known) => `Não conheço a tarefa "${task}". Tarefas: ${known}.`,
  missingEntry: (entry) =>
    `Falta o arquivo ${entry} nesta cópia do repositório. Baixe o repositório inteiro (git clone) e tente de novo.`,
  oldNode: (version) =>
    `Este Node é o ${version}; é preciso 18 ou mais novo só para preparar o resto. Instale: apt-get install nodejs npm`,
  unsupportedMachine: (platform, arch) =>
    `Não há Node 24 pronto para ${platform}/${arch}. Tijolo roda em Linux x64 ou arm64; em outra máquina, instale o Node 24 e o pnpm você mesmo e repita o comando com eles.`,
  bringNode: (version) => `Trazendo o Node ${version} e o pnpm para .tools`,
  installDependencies: "Instalando as dependências do projeto",
  installPackages: (names) => `Instalando pacotes do sistema: ${names}`,
  updatePackageLists: "Atualizando as listas de pacotes do sistema",
  bringCountries: "Trazendo as tabelas de países para a análise de visitas",
  goesOnWithoutCountries: "Continuando sem elas: as visitas aos sites não mostram países.",
  waitForOther: (pid) => `Outro comando (pid ${pid}) está preparando esta pasta; esperando`,
  lockTimeout: (pid, file) =>
    `O comando com pid ${pid} não terminou de preparar a pasta. Se ele não existe mais, apague ${file} e repita.`,
  wrongIntegrity: (name) =>
    `O pacote ${name} que veio do registro npm não é o esperado (hash diferente). Nada foi executado. Confira o registro configurado em ~/.npmrc e repita.`,
  npmFailed:
    "Não deu para baixar do registro npm. Confira a rede e o registro (npm config get registry) e repita o comando; o que já veio não se baixa de novo.",
  dependenciesFailed:
    "As dependências não puderam ser instaladas. Se as linhas acima falam de rede, confira a rede e o registro (npm config get registry); se falam do pnpm-lock.yaml, ele não combina com os package.json: volte ao do repositório. Depois repita o comando.",
  noNpm: "O comando npm não existe aqui. Instale: apt-get install npm",
  missingTools: (list) => `Faltam nesta máquina: ${list}.`,
  needsRoot: (packages) =>
    `Para instalar: sudo apt-get install --no-install-recommends ${packages}   (ou repita este comando como root, que instala sozinho)`,
  notDebian: (packages) =>
    `Este sistema não é Debian nem Ubuntu, então nada foi instalado. Instale os equivalentes destes pacotes do Debian e repita: ${packages}`,
  aptFailed: (packages) =>
    `O apt-get não conseguiu instalar. Confira a rede e /etc/apt/sources.list e rode: apt-get update && apt-get install --no-install-recommends ${packages}`,
  startNeedsRoot:
    "npm start precisa de root, porque os projetos rodam em containers com rede e limites próprios. Repita assim: sudo npm start   (npm test e npm run check funcionam sem root). Para desenvolver sem root, e sem isolamento: npm start -- --runtime process",
  startNeedsLinux: (platform) =>
    `npm start precisa de Linux; aqui é ${platform}. Use uma máquina ou máquina virtual com Debian 12 ou mais novo. Para desenvolver aqui, sem isolamento: npm start -- --runtime process`,
  goesOnWithout: "Continuando sem isso: os testes que precisam de containers não vão rodar.",
};

const en = {
  unknownTask: (task, known) => `There is no task "${task}". Tasks: ${known}.`,
  missingEntry: (entry) =>
    `The file ${entry} is missing in this copy of the repository. Get the whole repository (git clone) and try again.`,
  oldNode: (version) =>
    `This is Node ${version}; 18 or newer is needed to prepare the rest. Install it: apt-get install nodejs npm`,
  unsupportedMachine: (platform, arch) =>
    `There is no ready Node 24 for ${platform}/${arch}. Tijolo runs on Linux x64 or arm64; elsewhere, install Node 24 and pnpm yourself and repeat the command with them.`,
  bringNode: (version) => `Bringing Node ${version} and pnpm into .tools`,
  installDependencies: "Installing the project's dependencies",
  installPackages: (names) => `Installing system packages: ${names}`,
  updatePackageLists: "Updating the system's package lists",
  bringCountries: "Bringing the tables of countries for the analytics of visits",
  goesOnWithoutCountries: "Going on without them: visits to sites show no countries.",
  waitForOther: (pid) => `Another command (pid ${pid}) is preparing this folder; waiting`,
  lockTimeout: (pid, file) =>
    `The command with pid ${pid} has not finished preparing the folder. If it is gone, remove ${file} and repeat.`,
  wrongIntegrity: (name) =>
    `The package ${name} that came from the npm registry is not the expected one (another hash). Nothing was run. Check the registry in ~/.npmrc and repeat.`,
  npmFailed:
    "The npm registry could not be reached or refused. Check the network and the registry (npm config get registry) and repeat the command; what has come is not downloaded again.",
  dependenciesFailed:
    "The dependencies could not be installed. If the lines above speak of the network, check it and the registry (npm config get registry); if they speak of pnpm-lock.yaml, it does not match the package.json files: go back to the repository's. Then repeat the command.",
  noNpm: "There is no npm command here. Install it: apt-get install npm",
  missingTools: (list) => `Missing on this machine: ${list}.`,
  needsRoot: (packages) =>
    `To install: sudo apt-get install --no-install-recommends ${packages}   (or repeat this command as root, which installs them)`,
  notDebian: (packages) =>
    `This system is neither Debian nor Ubuntu, so nothing was installed. Install the equivalents of these Debian packages and repeat: ${packages}`,
  aptFailed: (packages) =>
    `apt-get could not install them. Check the network and /etc/apt/sources.list and run: apt-get update && apt-get install --no-install-recommends ${packages}`,
  startNeedsRoot:
    "npm start needs root, because projects run in containers with a network and limits of their own. Repeat it so: sudo npm start   (npm test and npm run check work without root). To develop without root, and without isolation: npm start -- --runtime process",
  startNeedsLinux: (platform) =>
    `npm start needs Linux; this is ${platform}. Use a machine or virtual machine with Debian 12 or newer. To develop here, without isolation: npm start -- --runtime process`,
  goesOnWithout: "Going on without: tests that need containers will not run.",
};

export const allTexts = { pt, en };

/** Returns the texts, Portuguese unless the environment asks for English. */
export function textsFor(env) {
  const locale = env.TIJOLO_LANG || env.LC_ALL || env.LC_MESSAGES || env.LANG || "";
  return /^en/i.test(locale) ? en : pt;
}
