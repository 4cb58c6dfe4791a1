/** Texts that say why a proposed svc.json has a field, in Portuguese. */

import type { ProposalReason } from "../../proposal/draft.ts";

export const proposalReasons: Record<ProposalReason["code"], (reason: ProposalReason) => string> = {
  stated: ({ file, name }) => `${name} em ${file}`,
  file: ({ file }) => `${file} está na pasta`,
  dependency: ({ file, name }) => `${file} usa ${name}`,
  script: ({ file, name }) => `script ${name} de ${file}`,
  listens: ({ file }) => `${file} escuta uma porta`,
  usual: ({ name }) => `é como se inicia ${name}`,
  built: ({ name }) => `é onde ${name} grava as páginas`,
  unseen: () => "nada aqui escuta uma porta",
};
