/** Defines the shape of one operation of the HTTP interface; the table itself is `operations.ts`. */

import type { z } from "zod";
import type { Access } from "./access.ts";
import type { Words } from "../values/words.ts";
import type { ErrorCode } from "./errors.ts";
import type { Tag } from "./tags.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** What a request has as its body. `upload`: multipart/form-data with a file in `file` and text fields. */
export type Body =
  | { kind: "none" }
  | { kind: "json"; schema: z.ZodType; example: unknown }
  | { kind: "upload"; fields: z.ZodType };

/**
 * The content of a response. `events`: a stream of server-sent events, or one JSON document when the caller
 * asks for that. `document`: text of this type, whole. `bytes`: a stored file, whole or the range that the
 * caller asks for. `text`: a file of text that is made while it is sent, so its size is not known.
 */
export type Answer =
  | { kind: "json"; status: 200 | 201 | 202; schema: z.ZodType }
  | { kind: "empty"; status: 204 }
  | { kind: "events"; event: z.ZodType; page: z.ZodType }
  | { kind: "document"; contentType: string }
  | { kind: "bytes"; contentType: string }
  | { kind: "text"; contentType: string };

export interface Operation {
  method: Method;
  /** Path relative to `{base_url}`, parameters in braces. */
  path: `/${string}`;
  /** The group in the API description. */
  tag: Tag;
  /** One line for the API description. */
  summary: Words;
  /** Markdown for the API description, beyond the summary. */
  text: Words;
  access: Access;
  /** `change` when it changes something; a read-level key may only call operations that read. */
  effect: "read" | "change";
  params: z.ZodType;
  query: z.ZodType;
  body: Body;
  answer: Answer;
  /**
   * True when the response waits for hosts: then the handler is notified when the caller disconnects, as that
   * of a stream is.
   */
  waitsForHosts?: true;
  /** Errors beyond those that every operation of its access can answer. */
  errors: readonly ErrorCode[];
}

/** Keeps the literal types of an operation, so that handlers and client derive from it. */
export function operation<const Definition extends Operation>(definition: Definition): Definition {
  return definition;
}

/** Returns the errors that any caller of an operation may meet, by its access, on top of `errors`. */
export function commonErrors(access: Access): readonly ErrorCode[] {
  const always = ["invalid_request", "internal_error"] as const;
  switch (access.kind) {
    case "public":
      return [...always, "rate_limit_exceeded"]; // of a key that comes with it
    case "operator":
      return [
        ...always,
        "invalid_operator_token",
        "insufficient_role",
        "too_many_attempts",
        // of a person's session
        "two_factor_required",
        "confirmation_required",
        "not_authenticated",
        "rate_limit_exceeded",
      ];
    case "panel":
      return [
        ...always,
        "not_authenticated",
        "api_key_not_allowed",
        "invalid_api_key",
        "too_many_attempts",
        "rate_limit_exceeded",
      ];
    case "key":
      return [
        ...always,
        "invalid_api_key",
        "not_authenticated",
        "insufficient_permission",
        "insufficient_scope",
        "rate_limit_exceeded",
        "too_many_attempts",
      ];
  }
}

/** An operation of which {@link takesIdempotencyKey} is true, as a type. */
export interface IdempotentOperation {
  method: "POST";
  access: { kind: "key" };
}

/** True for a stream that a caller resumes after the last event it got, by the header `Last-Event-ID`. */
export function isResumable({ method, answer }: Pick<Operation, "method" | "answer">): boolean {
  return method === "GET" && answer.kind === "events";
}

/**
 * True when the header `Idempotency-Key` has a meaning: on a POST that takes a key. Operations of the panel
 * alone return secrets.
 */
export function takesIdempotencyKey({ method, access }: Pick<Operation, "method" | "access">): boolean {
  return method === "POST" && access.kind === "key";
}
