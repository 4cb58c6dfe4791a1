/** Defines what the rows of the operators' operations have in common. */

import { z } from "zod";
import { id } from "../../values/id.ts";
import { described } from "../described.ts";
import type { Operation } from "../operation.ts";
import { none } from "./inputs.ts";
import { tags } from "../tags.ts";

const common = { tag: tags.cluster, params: none, query: none, body: { kind: "none" } } as const;

/** Fields of an operation that changes nothing. */
export const asViewer = {
  ...common,
  method: "GET",
  access: { kind: "operator", role: "viewer" },
  effect: "read",
} as const satisfies Partial<Operation>;

/** Fields of an operation that changes something. */
export const asOperator = {
  ...common,
  access: { kind: "operator", role: "operator" },
  effect: "change",
} as const satisfies Partial<Operation>;

/** Fields of a change that only owners may make. */
export const asOwner = {
  ...common,
  access: { kind: "operator", role: "owner" },
  effect: "change",
} as const satisfies Partial<Operation>;

/** Errors of an operation that takes a JSON body. */
export const bodyErrors = ["unsupported_media_type", "payload_too_large"] as const;

/** Path of an operation on a project of any account, or of none. */
export const oneProjectOfAny = described(z.strictObject({ projectId: id }), {
  projectId: { pt: "Id do projeto.", en: "The project's id." },
});

const hostName = z.string().trim().min(1).max(100);

const hostWords = { pt: "A máquina, por id ou nome.", en: "The machine, by id or name." };

/** Path of an operation on one host. */
export const oneHost = described(z.strictObject({ host: hostName }), { host: hostWords });

/** Query or body of an operation on one host, or on all. */
export const anyHost = described(z.strictObject({ host: hostName.optional() }), {
  host: {
    pt: "Só esta máquina, por id ou nome; sem ele, todas.",
    en: "Only this machine, by id or name; without it, all of them.",
  },
});
