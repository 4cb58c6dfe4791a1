import { inBoth } from "../in-both.ts";

export const projectReasonTexts = inBoth(
  {
    away: (time: string) => `Máquina sem contato desde ${time}; o último estado fica`,
    awayUnknown: "Máquina sem contato; o último estado fica",
    crashed: (count: number) =>
      count === 1 ? "Caiu uma vez; volta sozinho" : `Caiu ${count} vezes seguidas; volta sozinho`,
    since: (time: string) => `Subiu ${time}`,
    waits: "espera o reinício",
    stopped: (time: string) => `Parou ${time}`,
    exited: (code: number, time: string) => `Saiu com código ${code} ${time}`,
    outOfMemory: (time: string) => `Passou da memória ${time}`,
    silentTitle: (port: string) => `Ninguém alcança o site: nada atende na porta ${port}`,
    silentText:
      "O programa roda. Ele precisa escutar em 0.0.0.0 (não em 127.0.0.1) e na porta da variável PORT. O log diz o que falta.",
  },
  {
    away: (time) => `Machine out of contact since ${time}; the last state stays`,
    awayUnknown: "Machine out of contact; the last state stays",
    crashed: (count) =>
      count === 1 ? "Crashed once; it comes back" : `Crashed ${count} times in a row; it comes back`,
    since: (time) => `Started ${time}`,
    waits: "waits for a restart",
    stopped: (time) => `Stopped ${time}`,
    exited: (code, time) => `Exited with code ${code} ${time}`,
    outOfMemory: (time) => `Went over its memory ${time}`,
    silentTitle: (port) => `Nobody reaches the site: nothing answers on port ${port}`,
    silentText:
      "The program runs. It has to listen on 0.0.0.0 (not 127.0.0.1), on the port of the variable PORT. The log says what is missing.",
  },
);
