/** Texts of the installer, and of `tijolo doctor`. */

export const install = {
  help: `Uso: ./install central              instala a central como serviço (roda de novo: conserta, ou não muda nada)
     ./install uninstall central [--purge]

--purge apaga também os dados, as configurações e as chaves. --lang en mostra em inglês.`,
  steps: {
    tree: "programas em /opt/tijolo/releases",
    user: "usuário tijolo",
    settings: "configurações em /etc/tijolo",
    masterKeys: "chaves mestras em /etc/tijolo/master-keys",
    releases: "pacotes para as outras máquinas",
    data: "dados em /var/lib/tijolo",
    link: "versão em uso",
    command: "comando tijolo",
    units: "unidades do systemd",
    service: "serviço no ar",
  },
  done: (step: string) => `✓ ${step}`,
  unchanged: (step: string) => `· ${step}: já estava`,
  stepFailed: (step: string, reason: string) => `Falhou em "${step}": ${reason}`,
  asBefore: "Tudo o que mudou foi desfeito: a máquina está como antes.",
  notAsBefore: (what: string) => `Isto não pôde ser desfeito:\n${what}`,
  needsRoot: "Rode como root (sudo), em Linux.",
  needsSystemd: "Esta máquina não é iniciada por systemd (/run/systemd/system não existe).",
  isOlder: (version: string) =>
    `Está em uso a versão ${version}, mais nova que esta: os dados dela podem não abrir aqui. Use o pacote da ${version} ou de uma mais nova.`,
  damaged: (file: string) =>
    `Este pacote está incompleto ou foi alterado (${file}). Baixe e desempacote de novo.`,
  noSpace: (where: string, free: number, needed: number) =>
    `Falta espaço em ${where}: há ${free} MB livres, e são precisos ${needed} MB.`,
  centralInstalled: (url: string, isChanged: boolean): string =>
    isChanged
      ? `A central está no ar em http://${url}. Logs: journalctl -u tijolo-central`
      : `Nada a mudar: a central está no ar em http://${url}.`,
  startLink: (link: string) =>
    `Abra este link uma vez, em até 24 horas, para criar a primeira conta:\n\n${link}`,
  centralUninstalled: (isPurged: boolean): string =>
    isPurged
      ? "A central foi removida, com os dados."
      : "A central foi removida. Os dados estão em /var/lib/tijolo, as chaves em /etc/tijolo; --purge os apaga.",
};
