/**
 * Makes one request as bytes: an operation of the API description with its parameters and body, with
 * mutations of its head.
 */

import { hugeJsonBody, jsonBody, multipartBody, type BodyMaker, type FuzzBody } from "./fuzz-body.ts";
import { oddTexts, type FuzzSchema } from "./schema-value.ts";

export interface FuzzOperation {
  operationId: string;
  method: string;
  path: string;
  parameters: { name: string; in: string; schema: FuzzSchema }[];
  body: { type: string; schema: FuzzSchema } | null;
  isForPanel: boolean;
}

export interface FuzzTarget extends BodyMaker {
  host: string;
  operations: readonly FuzzOperation[];
  key: string;
  cookie: string;
  projectIds: readonly string[];
}

export interface FuzzRequest {
  operationId: string;
  /** Descriptions of the mutations, for the report. */
  bends: string[];
  head: Buffer;
  body: Buffer;
  /** True for a request to the REST interface, whose contract its answer must keep. */
  isOurs: boolean;
  /** True when its framing was not mutated: then it must be answered. */
  isFramed: boolean;
}

/** Operations that would end the session or the account that the requests are made with. */
const notWithSession = ["notMe", "signOut", "endSession", "changePassword", "beginTwoFactor"];

export function makeRequest(target: FuzzTarget): FuzzRequest {
  const { random } = target;
  const operation = random.pick(target.operations);
  const body = bodyOf(target, operation);
  const head: Head = {
    method: operation.method,
    target: targetOf(target, operation),
    version: "HTTP/1.1",
    lines: [`Host: ${target.host}`, ...credentials(target, operation), ...extras(target)],
    body: body.bytes,
    isFramed: true,
  };
  if (body.type !== null) head.lines.push(`Content-Type: ${body.type}`);
  if (operation.body !== null || body.bytes.length > 0)
    head.lines.push(`Content-Length: ${body.bytes.length}`);
  const names = random.chance(0.45)
    ? []
    : Array.from({ length: random.integer(1, 2) }, () => random.pick(Object.keys(bends)));
  for (const name of names) bends[name]?.(head, target);
  const text = `${head.method} ${head.target} ${head.version}\r\n${head.lines.map((line) => `${line}\r\n`).join("")}\r\n`;
  const isOurs = !head.target.startsWith("/link/");
  return {
    operationId: operation.operationId,
    bends: names,
    isOurs,
    head: Buffer.from(text, "latin1"),
    body: head.body,
    isFramed: head.isFramed,
  };
}

function targetOf({ random, values, projectIds }: FuzzTarget, { path, parameters }: FuzzOperation): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    random.chance(0.85) && name === "id"
      ? random.pick(projectIds)
      : encode(random.pick([...oddTexts, "0".repeat(26), ".", "..", "%2e%2e"])),
  );
  const query = parameters
    .filter((parameter) => parameter.in === "query" && random.chance(0.5))
    .map(({ name, schema }) => `${name}=${encode(textOf(values.valueOf(schema)))}`);
  if (random.chance(0.05))
    query.push(
      random.pick([
        "x=1",
        "lines=1&lines=2",
        "__proto__[x]=1",
        "%",
        "a[b]=c",
        "=",
        "&&&",
        `q=${"%ff".repeat(50)}`,
      ]),
    );
  return `/api${filled}${query.length === 0 ? "" : `?${query.join("&")}`}`;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function bodyOf(target: FuzzTarget, { body }: FuzzOperation): FuzzBody {
  const { random } = target;
  if (body === null)
    return random.chance(0.97) ? { type: null, bytes: Buffer.alloc(0) } : jsonBody(target, {});
  if (random.chance(0.01)) return hugeJsonBody();
  return body.type === "application/json"
    ? jsonBody(target, body.schema)
    : multipartBody(target, body.schema);
}

function credentials(
  { random, key, cookie }: FuzzTarget,
  { isForPanel, operationId }: FuzzOperation,
): string[] {
  if (isForPanel && !notWithSession.includes(operationId) && random.chance(0.7)) return [`Cookie: ${cookie}`];
  if (random.chance(0.92)) return [`Authorization: Bearer ${key}`];
  return random.pick([
    [],
    ["Authorization: Bearer svc_wrong"],
    ["Authorization: Basic eDp5"],
    ["Authorization:"],
    [`Authorization: Bearer ${key}x`],
  ]);
}

function extras({ random }: FuzzTarget): string[] {
  const odd: Record<string, string[]> = {
    "Accept-Language": ["en", "pt", "*;q=0", "en".repeat(500), "\xff"],
    Accept: ["*/*", "text/event-stream", "application/json", ",,,"],
    "Accept-Encoding": ["gzip", "gzip;q=0", "br", ";"],
    "Idempotency-Key": ["a", "same", "x".repeat(300), "\xe9", '"quoted"', ""],
    "If-None-Match": ["*", '"x"', "W/"],
    "Last-Event-ID": ["x", "01J", "\xff\xfe", "x".repeat(600)],
    Origin: ["null", "http://evil.test", "http://", "http://127.0.0.1"],
    "Sec-Fetch-Site": ["cross-site", "same-origin", "x"],
    "X-Forwarded-For": ["1.2.3.4", "not an address", "1.2.3.4,".repeat(200)],
    "User-Agent": ["Mozilla/5.0", "x".repeat(4_000)],
    Cookie: [
      "tijolo-session=x; tijolo-session=y",
      "=;=;=",
      "tijolo-session=" + "x".repeat(3_000),
      "__Host-tijolo-session=%00",
    ],
  };
  return Object.entries(odd).flatMap(([name, values]) =>
    random.chance(0.12) ? [`${name}: ${random.pick(values)}`] : [],
  );
}

interface Head {
  method: string;
  target: string;
  version: string;
  lines: string[];
  body: Buffer;
  isFramed: boolean;
}

type Bend = (head: Head, target: FuzzTarget) => void;

const withoutLength = (head: Head) => {
  head.lines = head.lines.filter((line) => !line.startsWith("Content-Length"));
  head.isFramed = false;
};

const bends: Record<string, Bend> = {
  "no host": (head) => {
    head.lines = head.lines.filter((line) => !line.startsWith("Host"));
  },
  "two hosts": (head) => void head.lines.unshift("Host: other.test"),
  "odd host": (head, { random }) => {
    head.lines[0] = `Host: ${random.pick(["", "a b", "[::1", "x".repeat(3_000), "\xff", "a:99999", '"'])}`;
  },
  "two authorizations": (head, { key }) =>
    void head.lines.push(`Authorization: Bearer ${key}`, "Authorization: Bearer svc_other"),
  "huge header": (head, { random }) =>
    void head.lines.push(`X-Huge: ${"x".repeat(random.pick([8_000, 15_000, 17_000, 200_000]))}`),
  "many headers": (head, { random }) => {
    for (let index = random.pick([100, 1_500, 3_000]); index > 0; index--) head.lines.push(`X: ${index}`);
  },
  "odd bytes": (head, { random }) => {
    head.isFramed = false;
    head.lines.push(
      random.pick([
        "X: \x00",
        "X: \x0b\x7f",
        "X\x00: y",
        "X : y",
        " X: y",
        "\xff\xfe",
        "X: y\rZ: w",
        ": y",
        "X",
        "X: a\n b",
      ]),
    );
  },
  "odd method": (head, { random }) => {
    head.isFramed = false;
    head.method = random.pick([
      "get",
      "HEAD",
      "OPTIONS",
      "TRACE",
      "CONNECT",
      "PROPFIND",
      "BREW",
      "G\xcbT",
      "",
      "PATCH ",
      "x".repeat(5_000),
      "PRI",
    ]);
  },
  "odd version": (head, { random }) => {
    head.isFramed = false;
    head.version = random.pick([
      "HTTP/1.0",
      "HTTP/0.9",
      "HTTP/2.0",
      "HTTP/1.9",
      "HTTP/1.1 x",
      "http/1.1",
      "",
      "HTTP/1.11",
    ]);
  },
  "odd target": (head, { random, host }) => {
    head.isFramed = false;
    head.target = random.pick([
      "*",
      "",
      "api",
      "//api//projects",
      "/api/%",
      "/api/projects/%00",
      "/api/projects/%ff",
      "/api/../api/projects",
      "/api/projects#x",
      "/api/projects\xff",
      "/api/projects/a b",
      `http://${host}/api/projects`,
      "http://other.test/api/projects",
      `/api/${"x".repeat(30_000)}`,
      `/api/projects?${"a=b&".repeat(3_000)}`,
      "/admin/x",
      "/link/x",
      "/api/projects/" + "%41".repeat(300),
    ]);
  },
  expect: (head, { random }) => {
    head.isFramed = false;
    head.lines.push(
      `Expect: ${random.pick(["100-continue", "100-Continue", "200-maybe", "", "100-continue, x"])}`,
    );
  },
  upgrade: (head, { random }) => {
    head.isFramed = false;
    head.lines.push(
      "Connection: Upgrade",
      `Upgrade: ${random.pick(["websocket", "h2c", "tijolo-tunnel", "", "\xff"])}`,
    );
  },
  "odd connection": (head, { random }) => {
    head.isFramed = false;
    head.lines.push(
      `Connection: ${random.pick(["close", "keep-alive, close", "Host, Authorization", "\xff", "upgrade"])}`,
    );
  },
  "wrong length": (head, { random }) => {
    withoutLength(head);
    const { length } = head.body;
    const odd = [
      length + 5,
      Math.max(0, length - 5),
      "-1",
      "+5",
      "0x10",
      "1e3",
      "5, 5",
      " ",
      "99999999999999999999",
      `${length}\t`,
      "٣",
    ];
    head.lines.push(`Content-Length: ${random.pick(odd)}`);
  },
  "two lengths": (head) => {
    head.isFramed = false;
    head.lines.push(`Content-Length: ${head.body.length + 1}`);
  },
  chunked: (head, { random }) => {
    withoutLength(head);
    head.lines.push(
      `Transfer-Encoding: ${random.pick(["chunked", "chunked", "chunked", "xchunked", "chunked, identity", "\x0bchunked", "gzip, chunked", "CHUNKED"])}`,
    );
    const size = head.body.length.toString(16);
    const good = Buffer.concat([Buffer.from(`${size}\r\n`), head.body, Buffer.from("\r\n0\r\n\r\n")]);
    head.body = random.pick([
      good,
      Buffer.concat([
        Buffer.from(`${size};x=${"y".repeat(20_000)}\r\n`),
        head.body,
        Buffer.from("\r\n0\r\n\r\n"),
      ]),
      Buffer.concat([
        Buffer.from(`${size}\r\n`),
        head.body,
        Buffer.from(`\r\n0\r\n${"X: y\r\n".repeat(2_000)}\r\n`),
      ]),
      Buffer.from("-1\r\nx\r\n0\r\n\r\n"),
      Buffer.from("ffffffffffffffff\r\nx"),
      Buffer.from("zz\r\n"),
      Buffer.from("5\r\nab\r\n0\r\n\r\n"),
      Buffer.from("0\r\n"),
      good.subarray(0, Math.floor(good.length / 2)),
      head.body,
    ]);
  },
  "content encoding": (head, { random }) => {
    head.lines.push(`Content-Encoding: ${random.pick(["gzip", "br", "identity", "x"])}`);
  },
};
