/**
 * Defines the limits of a run: how they follow from the project's memory, and what the kernel of its host
 * reports of them.
 */

import { z } from "zod";
import { described } from "../contract/described.ts";
import { count } from "../values/amounts.ts";

/**
 * Returns the most processor that a run gets, in percent of one core: a core per GB, at least one, and no
 * more than the host has. Up to it a run may use what the others leave free.
 */
export function cpuCeilingPercent(memoryMb: number, hostCpuCount: number): number {
  return Math.min(hostCpuCount, Math.max(1, Math.round(memoryMb / 1024))) * 100;
}

/**
 * Returns a project's share of a busy processor, relative to the weights of the other projects: 1 to 10,000;
 * 100 is the kernel's default.
 */
export function cpuWeight(memoryMb: number): number {
  return Math.min(10_000, Math.max(10, Math.round(memoryMb / 5)));
}

/** Returns the number of processes and threads that a run may have at once. */
export function processLimit(memoryMb: number): number {
  return Math.max(256, Math.min(4_096, memoryMb));
}

/** A limit of the kernel, which need not be whole. */
const amount = z.number().min(0).max(Number.MAX_SAFE_INTEGER);

/** Limits that the kernel enforces on a run now; null: it sets no such limit. */
export const runLimits = described(
  z.object({
    memoryMb: amount.nullable(),
    cpuPercent: amount.nullable(),
    cpuWeight: amount.nullable(),
    pids: count.nullable(),
    openFiles: count.nullable(),
    /**
     * Ceilings of reading and of writing, which are equal and not shared; for each of the devices
     * (`major:minor`) alone.
     */
    io: described(
      z.object({
        devices: z.array(z.string().regex(/^\d{1,10}:\d{1,10}$/)).max(32),
        bytesPerSecond: amount.nullable(),
        operationsPerSecond: amount.nullable(),
      }),
      {
        devices: { pt: "Os discos a que se aplicam.", en: "The devices that they apply to." },
        bytesPerSecond: {
          pt: "Bytes por segundo, de leitura e de gravação cada.",
          en: "Bytes per second, of reading and of writing each.",
        },
        operationsPerSecond: {
          pt: "Operações por segundo, de leitura e de gravação cada.",
          en: "Operations per second, of reading and of writing each.",
        },
      },
    ).nullable(),
  }),
  {
    memoryMb: { pt: "Memória, em MB.", en: "Memory, in MB." },
    cpuPercent: { pt: "Processador; 100 é um núcleo.", en: "Processor; 100 is one core." },
    cpuWeight: {
      pt: "Peso quando falta processador; 100 é o padrão do kernel.",
      en: "Weight while processors are short; 100 is the kernel's default.",
    },
    pids: { pt: "Processos e threads.", en: "Processes and threads." },
    openFiles: { pt: "Arquivos abertos de cada processo.", en: "Open files of each process." },
    io: { pt: "Tetos do disco; null: não há.", en: "Ceilings of the disk; null: there are none." },
  },
);
export type RunLimits = z.infer<typeof runLimits>;
