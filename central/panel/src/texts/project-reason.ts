import { inBoth } from "./in-both.ts";

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
  },
);
