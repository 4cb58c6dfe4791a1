/** Defines the operators' operations on images on the machines. */

import { z } from "zod";
import { hostRemovals, imageList } from "../../nouns/cluster/host-images.ts";
import { imageOverride, imageOverrideChange, imageVersion } from "../../nouns/cluster/image.ts";
import { imagePull, imagePullEvent } from "../../nouns/cluster/image-pull.ts";
import { described } from "../described.ts";
import { operation } from "../operation.ts";
import { anyHost, asOperator, asViewer, bodyErrors } from "./operator-row.ts";
import { sharedWords } from "../shared-words.ts";

const { reference } = imageOverride.shape;

export const imageOperations = {
  listImages: operation({
    ...asViewer,
    path: "/cluster/images",
    summary: { pt: "Lista as imagens das máquinas", en: "Lists the machines' images" },
    text: {
      pt: "O que está em cada máquina, e de onde vem a imagem de cada versão de linguagem.",
      en: "What lies on each machine, and where the image of each language version comes from.",
    },
    query: anyHost,
    answer: { kind: "json", status: 200, schema: imageList },
    waitsForHosts: true,
    errors: ["not_found"],
  }),
  pullImages: operation({
    ...asOperator,
    method: "POST",
    path: "/cluster/images/pull",
    summary: { pt: "Traz imagens às máquinas", en: "Pulls images to the machines" },
    text: {
      pt: "Acaba quando todas as máquinas acabam; o que falha numa não para as outras. Elas param quando ninguém lê mais.",
      en: "Ends when every machine has; what fails on one stops no other. They stop when nobody reads on.",
    },
    body: {
      kind: "json",
      example: { images: [{ language: "ruby", version: "4.0" }], systemPackages: ["git"] },
      schema: imagePull,
    },
    answer: {
      kind: "events",
      event: imagePullEvent,
      page: described(z.strictObject({ events: z.array(imagePullEvent) }), {
        events: { pt: "Os eventos, sem os de andamento.", en: "The events, without those of progress." },
      }),
    },
    errors: [...bodyErrors, "not_found"],
  }),
  pruneImages: operation({
    ...asOperator,
    method: "POST",
    path: "/cluster/images/prune",
    summary: { pt: "Tira das máquinas as imagens sem uso", en: "Removes unused images from the machines" },
    text: {
      pt: "Também as que um operador trouxe; o que algum projeto usa fica.",
      en: "Those that an operator pulled too; what a project uses stays.",
    },
    body: { kind: "json", example: { host: "host-1" }, schema: anyHost },
    answer: {
      kind: "json",
      status: 200,
      schema: described(z.strictObject({ hosts: z.array(hostRemovals) }), sharedWords),
    },
    waitsForHosts: true,
    errors: [...bodyErrors, "not_found"],
  }),
  setImage: operation({
    ...asOperator,
    method: "PUT",
    path: "/cluster/images/{language}/{version}",
    summary: {
      pt: "Põe uma versão de linguagem sobre uma imagem",
      en: "Puts a language version on an image",
    },
    text: {
      pt: "O que roda continua; a partir do próximo início, um projeto desta versão roda nela, e em nenhuma outra.",
      en: "What runs goes on; from its next start on, a project of this version runs on it, and on no other.",
    },
    params: imageVersion,
    body: {
      kind: "json",
      example: { reference: "registry.example/ruby:4.0" },
      schema: described(z.strictObject({ reference }), {
        reference: {
          pt: "A imagem, como o Docker a escreve: `registry.exemplo/ruby:4.0`.",
          en: "The image, as Docker writes it: `registry.example/ruby:4.0`.",
        },
      }),
    },
    answer: { kind: "json", status: 200, schema: imageOverrideChange },
    errors: [...bodyErrors, "not_found"],
  }),
  unsetImage: operation({
    ...asOperator,
    method: "DELETE",
    path: "/cluster/images/{language}/{version}",
    summary: {
      pt: "Devolve uma versão de linguagem à imagem do Tijolo",
      en: "Puts a language version back on Tijolo's image",
    },
    text: { pt: "A partir do próximo início de cada projeto.", en: "From each project's next start on." },
    params: imageVersion,
    answer: { kind: "json", status: 200, schema: imageOverrideChange },
    errors: ["not_found"],
  }),
};
