/** Sends one request to the HTTP interface as an unknown client would: without checks or additions. */

import { errorBody } from "@tijolo/protocol";

export interface ApiRequest {
  method: string;
  /** Path with the `/api` prefix. */
  path: string;
  token?: string | undefined;
  headers?: Record<string, string>;
  body?: RequestInit["body"];
}

export interface ApiAnswer {
  status: number;
  headers: Headers;
  text: string;
  /** Parsed body, when it is JSON. */
  json: unknown;
  /** Value of `code` in an error body. */
  code: string | undefined;
}

export async function apiRequest(
  centralUrl: string,
  { method, path, token, headers = {}, body }: ApiRequest,
): Promise<ApiAnswer> {
  const authorization: Record<string, string> =
    token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(centralUrl + path, {
    method,
    headers: { ...authorization, ...headers },
    ...(body === undefined ? {} : { body, duplex: "half" }),
    signal: AbortSignal.timeout(20_000),
  });
  const text = await response.text();
  const json = parseJson(text);
  return {
    status: response.status,
    headers: response.headers,
    text,
    json,
    code: errorBody.safeParse(json).data?.code,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
