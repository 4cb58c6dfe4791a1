/** What a host says of an install, in Portuguese. */

import type { installMessages } from "../../project/install-messages.ts";
import type { MessageTexts } from "../../project/owner-message.ts";

export const install: MessageTexts<typeof installMessages> = {
  upload_gone: () => "O arquivo enviado não está mais no serviço.",
  upload_not_extracted: () => "O arquivo enviado não pôde ser extraído.",
  upload_on_damaged_disk: () =>
    "O disco do projeto está danificado: fale com a equipe do serviço antes de enviar de novo.",
  project_disk_full: ({ usedMb, limitMb, full }) => {
    const figures = limitMb === null ? "" : ` (${usedMb} MB de ${limitMb} MB usados)`;
    if (full === "files")
      return `O projeto tem arquivos demais: não cabe mais nenhum no disco${figures}. Apague arquivos ou mude de plano.`;
    if (full === "bytes") return `O disco do projeto está cheio${figures}. Apague arquivos ou mude de plano.`;
    return `Não coube no disco do projeto${figures}. Apague arquivos, envie um .zip menor ou mude de plano.`;
  },
  host_disk_full: () => "O servidor está sem espaço em disco. A equipe do serviço precisa liberar espaço.",
  system_packages_unavailable: ({ packages, reason }) =>
    `Não deu para instalar os pacotes de sistema ${new Intl.ListFormat("pt-BR").format(packages)}: ${reason}. Espere alguns minutos e envie o código de novo, ou tire de systemPackages o que não usa.`,
  nothing_to_install: () => "Nada a instalar.",
  image_in_preparation: ({ language, version, hasSystemPackages }) =>
    `Preparando o ${language} ${version}${hasSystemPackages ? " com os pacotes de sistema" : ""} neste servidor. Só a primeira vez demora: de segundos a alguns minutos.`,
  install_reused: () => "As dependências são as mesmas de antes: a instalação guardada foi usada.",
  version_still_here: ({ version }) =>
    `Os arquivos da versão ${version} ainda estão aqui, instalados: são usados de novo.`,
  install_repeated_with_home: () =>
    "A instalação grava também fora da pasta do projeto: é feita de novo, na pasta pessoal dele.",
  install_done: ({ seconds }) => `Instalação concluída em ${tenths(seconds)} s.`,
  install_failed_after: ({ seconds }) => `A instalação falhou depois de ${tenths(seconds)} s.`,
  built_folder_chosen: ({ folder }) => `O site é a pasta ${folder}, que o build criou.`,
  built_site_missing: ({ folders }) =>
    `O build terminou, mas não criou nenhuma destas pastas com um index.html: ${folders.join(", ")}. Diga em root a pasta que ele cria.`,
  built_folder_missing: ({ folder }) =>
    `O build terminou, mas não criou a pasta ${folder} (root), ou a deixou vazia. Confira em que pasta ele grava e ponha-a em root.`,
  built_site_too_large: () =>
    "O build criou arquivos demais para um site, ou pastas fundas demais. Confira o que ele grava na pasta servida.",
  pipfile_ignored: () =>
    "Pipfile não é lido: envie um requirements.txt (pipenv requirements > requirements.txt).",
  version_as_wanted: ({ language, version, file, wanted }) =>
    `Usa ${language} ${version}, como pede ${file}: ${wanted}.`,
  version_not_wanted: ({ language, version, file, wanted, versions }) =>
    `${file} pede ${wanted}, mas o projeto usa ${language} ${version}. As versões são ${new Intl.ListFormat("pt-BR").format(versions)}: para usar outra, ponha version no svc.json.`,
  no_isolation: () =>
    "ATENÇÃO: esta máquina roda os projetos sem isolamento e sem limites (TIJOLO_RUNTIME=process), só para desenvolvimento. O código roda como o usuário dela.",
  language_of_machine: ({ language }) =>
    `O ${language} usado é o que está instalado na máquina, na versão que ela tiver. Um site recebe em PORT uma porta livre de 127.0.0.1.`,
  system_packages_of_machine: ({ packages }) =>
    `Pacotes do sistema não são instalados: a máquina precisa ter ${packages.join(", ")}.`,
  language_not_on_machine: ({ language, programs }) =>
    `Esta máquina não tem o programa ${programs.join(" nem ")}. Sem contêiner (TIJOLO_RUNTIME=process), o projeto roda com o que está instalado nela: instale ${language} e inicie de novo.`,
  site_port_on_machine: ({ port, taken }) =>
    `O site deve ouvir em 127.0.0.1, na porta da variável PORT: ${port}${taken === null ? "" : ` (a porta ${taken} está ocupada nesta máquina, ou não é permitida)`}.`,
};

function tenths(seconds: number): string {
  return seconds.toFixed(1).replace(".", ",");
}
