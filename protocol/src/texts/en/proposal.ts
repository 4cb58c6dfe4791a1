import type { proposalReasons as pt } from "../pt/proposal.ts";

export const proposalReasons: typeof pt = {
  stated: ({ file, name }) => `${name} in ${file}`,
  file: ({ file }) => `${file} is in the folder`,
  dependency: ({ file, name }) => `${file} uses ${name}`,
  script: ({ file, name }) => `script ${name} of ${file}`,
  listens: ({ file }) => `${file} listens on a port`,
  usual: ({ name }) => `it is how ${name} is started`,
  built: ({ name }) => `it is where ${name} writes the pages`,
  unseen: () => "nothing here listens on a port",
};
