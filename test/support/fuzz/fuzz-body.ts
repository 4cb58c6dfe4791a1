/** Makes bodies that are nearly right, or wrong in a way of their own. */

import { oddTexts, type FuzzSchema, type SchemaValues } from "./schema-value.ts";
import type { SeededRandom } from "./seeded-random.ts";

export interface FuzzBody {
  type: string | null;
  bytes: Buffer;
}

export interface BodyMaker {
  random: SeededRandom;
  values: SchemaValues;
  zip: Buffer;
}

export function jsonBody({ random, values }: BodyMaker, schema: FuzzSchema): FuzzBody {
  const type = random.chance(0.92)
    ? "application/json"
    : random.pick([null, "", ";", "text/plain", "application/json; charset=utf-16", "APPLICATION/JSON"]);
  const good = () => JSON.stringify(values.valueOf(schema));
  if (random.chance(0.75)) return { type, bytes: Buffer.from(good()) };
  const odd: (() => string | Buffer)[] = [
    () => "[".repeat(random.pick([100, 10_000, 120_000])),
    () => '{"a":'.repeat(40_000) + "1" + "}".repeat(40_000),
    () => `{"name":"${"x".repeat(random.pick([300_000, 1_000_000]))}"}`,
    () => Buffer.concat([Buffer.from('{"name":"'), random.bytes(64), Buffer.from('"}')]),
    () => Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]),
    () => `\ufeff${good()}`,
    () => '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{}},"name":"x"}',
    () => '{"name":"a","name":"b","memoryMb":1,"memoryMb":2}',
    () => '{"memoryMb":1e999,"port":-1e999}',
    () => `{"memoryMb":${"9".repeat(10_000)}}`,
    () => good().slice(0, -1),
    () => `${good()}${good()}`,
    () => "",
    () => " ".repeat(200_000),
    () => '"\\ud800\\u0000"',
    () => "null",
    () => random.bytes(500),
  ];
  return { type, bytes: Buffer.from(random.pick(odd)()) };
}

/** Makes a body like {@link jsonBody}, of a size that must be refused before it is read. */
export function hugeJsonBody(): FuzzBody {
  return { type: "application/json", bytes: Buffer.from(`{"name":"${"x".repeat(10 * 1024 * 1024)}"}`) };
}

const boundaries = [
  "x",
  "----WebKitFormBoundary",
  "a".repeat(70),
  "a".repeat(3_000),
  "a.*+?^$(b",
  "é",
  "a b",
  "--",
  "'()+_,-./:=?",
];

export function multipartBody(maker: BodyMaker, schema: FuzzSchema): FuzzBody {
  const { random } = maker;
  const boundary = random.chance(0.6) ? "----tijolo-fuzz" : random.pick(boundaries);
  const type = random.pick([
    ...Array.from({ length: 12 }, () => `multipart/form-data; boundary=${boundary}`),
    `multipart/form-data; boundary="${boundary}"`,
    `multipart/form-data; charset=utf-8; boundary=${boundary}; boundary=other`,
    "multipart/form-data",
    "multipart/form-data; boundary=",
    `multipart/mixed; boundary=${boundary}`,
    `Multipart/Form-Data; BOUNDARY=${boundary}`,
  ]);
  const newline = random.chance(0.95) ? "\r\n" : "\n";
  const parts = partsOf(maker, schema);
  const pieces = parts.flatMap(({ head, content }) => [
    `--${boundary}${newline}${head.join(newline)}${newline}${newline}`,
    content,
    newline,
  ]);
  const preamble = random.chance(0.1) ? random.pick(["preamble\r\n", "\r\n".repeat(5_000), "--"]) : "";
  const end = random.chance(0.85)
    ? `--${boundary}--${newline}`
    : random.pick(["", `--${boundary}`, `--${boundary}--`, `--${boundary}--epilogue`, `--${boundary}-`]);
  return {
    type,
    bytes: Buffer.concat([preamble, ...pieces, end].map((piece) => Buffer.from(piece as string))),
  };
}

interface Part {
  head: string[];
  content: string | Buffer;
}

function partsOf({ random, values, zip }: BodyMaker, schema: FuzzSchema): Part[] {
  const { file: _, ...properties } = schema.properties ?? {};
  const fields = values.valueOf({ type: "object", properties }) as Record<string, unknown> | null;
  const texts = Object.entries(fields ?? {}).map(([name, value]) =>
    field(name, typeof value === "string" ? value : JSON.stringify(value)),
  );
  const file = filePart(random, zip);
  if (random.chance(0.7)) return random.chance(0.5) ? [file] : [...texts, file];
  const odd: (() => Part[])[] = [
    () => [file, file],
    () => [file, ...texts],
    () => [],
    () => Array.from({ length: 10_000 }, (_, index) => field(`f${index}`, "x")),
    () => Array.from({ length: 200 }, () => field("name", "x")),
    () => [{ head: [], content: "no head" }, file],
    () => [{ head: [`X-Long: ${"x".repeat(100_000)}`], content: "" }, file],
    () => [{ head: Array.from({ length: 3_000 }, (_, index) => `X-${index}: y`), content: "" }, file],
    () => [
      {
        head: ['Content-Disposition: form-data; name="inner"', "Content-Type: multipart/mixed; boundary=in"],
        content: "--in\r\n\r\nx\r\n--in--",
      },
      file,
    ],
    () => [{ head: ["Content-Disposition: form-data"], content: "x" }, file],
    () => [
      {
        head: ['Content-Disposition: form-data; name="file"', "Content-Transfer-Encoding: base64"],
        content: "%%%%",
      },
    ],
    () => [field(random.pick(oddTexts), random.pick(oddTexts)), field("__proto__", "x"), file],
    () => [field("command", "x".repeat(random.pick([8_192, 8_193, 500_000]))), file],
    () => [{ ...file, content: Buffer.alloc(0) }],
    () => [{ ...file, content: random.bytes(3_000) }],
    () => [{ ...file, content: zip.subarray(0, random.integer(0, zip.length)) }],
    () => [{ ...file, content: Buffer.concat([zip, Buffer.from("\r\n------tijolo-fuzz"), zip]) }],
  ];
  return random.pick(odd)();
}

function field(name: string, content: string): Part {
  return { head: [`Content-Disposition: form-data; name="${name}"`], content };
}

function filePart(random: SeededRandom, zip: Buffer): Part {
  const name = random.chance(0.8)
    ? 'filename="bot.zip"'
    : random.pick([
        'filename="../../x.zip"',
        'filename="a\u0000b"',
        "filename=",
        "filename*=utf-8''%ff%fe",
        `filename="${"x".repeat(10_000)}"`,
        "filename*=x''%",
        "",
      ]);
  const disposition = `Content-Disposition: form-data; name="file"; ${name}`;
  return {
    head: [disposition, random.chance(0.9) ? "Content-Type: application/zip" : "Content-Type: ;;;"],
    content: zip,
  };
}
