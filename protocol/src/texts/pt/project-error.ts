/** How `project.error.message` begins, in Portuguese (spec: "Project error states"). */

import type { ProjectErrorCode } from "../../nouns/project.ts";

export const projectError: Record<ProjectErrorCode, string> = {
  install_failed:
    "A instalação terminou com erro. Veja os logs de Instalação, corrija e envie o código de novo.",
  install_timeout:
    "A instalação passou de 5 minutos e foi interrompida. Diminua as dependências ou a build e envie de novo.",
  install_out_of_memory:
    "A instalação usou mais de 1 GB de memória. Diminua a build ou envie os arquivos já prontos.",
  install_interrupted: "Uma falha do nosso lado interrompeu a instalação. Envie o código de novo.",
  start_failed: "O comando de início não subiu. Confira command e entry e veja os logs de Aplicação.",
  system_packages_failed:
    "Os pacotes de sistema não puderam ser instalados. Confira systemPackages e envie de novo.",
  process_exited:
    "O processo caiu e o plano Free não reinicia sozinho. Veja os logs de Aplicação e inicie de novo.",
  crash_loop:
    "O processo caiu 5 vezes seguidas e parou de reiniciar. Veja os logs de Aplicação, corrija e inicie de novo.",
};
