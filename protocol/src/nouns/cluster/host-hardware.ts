/** Defines a machine's hardware, as its operating system names the parts, for operators. */

import { z } from "zod";
import { component, described } from "../../contract/described.ts";
import { count, diskAmountMb, memoryAmountMb } from "../../values/amounts.ts";
import { shownText } from "../../values/plain-text.ts";

/** Most parts of one kind that are listed. */
export const maxHardwareParts = 64;

const name = shownText(200);
const parts = <Part extends z.ZodType>(part: Part) => z.array(part).max(maxHardwareParts);

export const hostHardware = component(
  "HostHardware",
  z.object({
    system: described(z.object({ manufacturer: name, model: name, isVirtual: z.boolean() }), {
      manufacturer: { pt: "O fabricante.", en: "The manufacturer." },
      model: { pt: "O modelo.", en: "The model." },
      isVirtual: { pt: "Se é uma máquina virtual.", en: "Whether it is a virtual machine." },
    }),
    processor: described(
      z.object({ manufacturer: name, model: name, cores: count, threads: count, maxMhz: count.nullable() }),
      {
        manufacturer: { pt: "O fabricante.", en: "The manufacturer." },
        model: { pt: "O modelo.", en: "The model." },
        cores: { pt: "Núcleos físicos.", en: "Physical cores." },
        threads: { pt: "Processadores lógicos.", en: "Logical processors." },
        maxMhz: { pt: "A maior frequência; null: não se sabe.", en: "Highest frequency; null: not known." },
      },
    ),
    memory: parts(
      described(z.object({ sizeMb: memoryAmountMb, type: name, manufacturer: name, mhz: count.nullable() }), {
        sizeMb: { pt: "O tamanho, em MB.", en: "The size, in MB." },
        type: { pt: "O tipo, como DDR5.", en: "The type, such as DDR5." },
        manufacturer: { pt: "O fabricante.", en: "The manufacturer." },
        mhz: { pt: "A frequência; null: não se sabe.", en: "The frequency; null: not known." },
      }),
    ),
    disks: parts(
      described(z.object({ device: name, model: name, type: name, sizeMb: diskAmountMb }), {
        device: { pt: "O dispositivo.", en: "The device." },
        model: { pt: "O modelo.", en: "The model." },
        type: { pt: "O tipo: HD, SSD ou NVMe.", en: "The type: HD, SSD or NVMe." },
        sizeMb: { pt: "O tamanho, em MB.", en: "The size, in MB." },
      }),
    ),
    network: parts(
      described(z.object({ interface: name, type: name, isUp: z.boolean(), mbps: count.nullable() }), {
        interface: { pt: "A interface.", en: "The interface." },
        type: { pt: "O tipo: com ou sem fio.", en: "The type: wired or wireless." },
        isUp: { pt: "Se está ligada.", en: "Whether it is up." },
        mbps: {
          pt: "A velocidade, em Mbit/s; null: não se sabe.",
          en: "The speed, in Mbit/s; null: not known.",
        },
      }),
    ),
    graphics: parts(
      described(z.object({ model: name, memoryMb: memoryAmountMb.nullable() }), {
        model: { pt: "O modelo.", en: "The model." },
        memoryMb: { pt: "A memória, em MB; null: não se sabe.", en: "The memory, in MB; null: not known." },
      }),
    ),
  }),
  {
    text: {
      pt: "O hardware de uma máquina. Um texto vazio: a máquina não o diz.",
      en: "A machine's hardware. An empty text: the machine does not tell it.",
    },
    fields: {
      system: { pt: "O computador.", en: "The computer." },
      processor: { pt: "O processador.", en: "The processor." },
      memory: { pt: "Os módulos de memória.", en: "The memory modules." },
      disks: { pt: "Os discos.", en: "The disks." },
      network: { pt: "As interfaces de rede físicas.", en: "The physical network interfaces." },
      graphics: { pt: "As placas de vídeo.", en: "The graphics cards." },
    },
  },
);
export type HostHardware = z.infer<typeof hostHardware>;
