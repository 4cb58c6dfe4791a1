/** Defines the pull of images to the hosts: what an operator asks for, and the events of its progress. */

import { z } from "zod";
import { described, named } from "../../contract/described.ts";
import { count } from "../../values/amounts.ts";
import { systemPackage } from "../../project/system-package.ts";
import { hostAnswerWords, hostReference } from "./host-reference.ts";
import { imageNeed, imageVersion } from "./image.ts";

export const imagePull = described(
  z.strictObject({
    host: z.string().trim().min(1).max(100).optional(),
    images: z.array(imageVersion).min(1).max(100),
    systemPackages: z.array(systemPackage).max(50).default([]),
  }),
  {
    host: {
      pt: "Só esta máquina, por id ou nome; sem ele, todas.",
      en: "Only this machine, by id or name; without it, all of them.",
    },
    images: { pt: "As versões de linguagem.", en: "The language versions." },
    systemPackages: { pt: "Pacotes de sistema de cada imagem.", en: "System packages of each image." },
  },
);
export type ImagePull = z.output<typeof imagePull>;

const eventWords = {
  event: { pt: "O que aconteceu.", en: "What happened." },
  data: { pt: "Em qual máquina, e com qual imagem.", en: "On which machine, and with which image." },
};
const imageWords = { pt: "A imagem.", en: "The image." };

/**
 * Event of a pull on one host, sent as it happens; `host-lost` is the last event of its host. `pull-ended` is
 * the last of all: a stream without it was cut off.
 */
export const imagePullEvent = named(
  "ImagePullEvent",
  z.discriminatedUnion("event", [
    described(
      z.strictObject({
        event: z.literal("image-progress"),
        data: described(z.strictObject({ host: hostReference, image: imageNeed, text: z.string() }), {
          host: hostAnswerWords.host,
          image: imageWords,
          text: { pt: "O que acontece.", en: "What happens." },
        }),
      }),
      eventWords,
    ),
    described(
      z.strictObject({
        event: z.literal("image-pulled"),
        data: described(
          z.strictObject({
            host: hostReference,
            image: imageNeed,
            origins: z.array(z.string()),
            sizeBytes: count,
            isNew: z.boolean(),
            runningOnOther: count,
          }),
          {
            host: hostAnswerWords.host,
            image: imageWords,
            origins: { pt: "De onde vêm as camadas.", en: "What its layers come from." },
            sizeBytes: { pt: "Tamanho, em bytes.", en: "Size, in bytes." },
            isNew: {
              pt: "Se algo dela não estava na máquina.",
              en: "Whether something of it was not on the machine before.",
            },
            runningOnOther: {
              pt: "Projetos no ar desta versão que ficam em outra imagem até o próximo início.",
              en: "Running projects of this version that stay on another image until their next start.",
            },
          },
        ),
      }),
      eventWords,
    ),
    described(
      z.strictObject({
        event: z.literal("image-failed"),
        data: described(z.strictObject({ host: hostReference, image: imageNeed, reason: z.string() }), {
          host: hostAnswerWords.host,
          image: imageWords,
          reason: { pt: "Por que não deu.", en: "Why it failed." },
        }),
      }),
      eventWords,
    ),
    described(
      z.strictObject({
        event: z.literal("host-lost"),
        data: described(z.strictObject({ host: hostReference }), { host: hostAnswerWords.host }),
      }),
      eventWords,
    ),
    described(
      z.strictObject({
        event: z.literal("pull-ended"),
        data: described(z.strictObject({ hosts: count }), {
          hosts: { pt: "Quantas máquinas foram pedidas.", en: "How many machines were asked." },
        }),
      }),
      eventWords,
    ),
  ]),
  {
    text: {
      pt: "O que uma máquina faz de um pedido de imagens. Um stream sem `pull-ended` no fim foi cortado. Na rede, `event` é um campo SSE e `data` é JSON.",
      en: "What a machine does with a request for images. A stream without `pull-ended` at its end was cut off. On the wire, `event` is an SSE field and `data` is JSON.",
    },
  },
);
export type ImagePullEvent = z.infer<typeof imagePullEvent>;
