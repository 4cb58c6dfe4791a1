/** Defines log lines and the events of a log stream (spec: logs endpoint; open parts are decided here). */

import { z } from "zod";
import { component, described, named } from "../contract/described.ts";
import { inputReasons } from "../contract/input-reasons.ts";
import { sharedWords } from "../contract/shared-words.ts";
import { lastExit, lastExitWords, projectStatus, timestamp } from "./project.ts";
import { lengths } from "../values/lengths.ts";
import { toPlainText } from "../values/plain-text.ts";

/** Instalação and Aplicação, which a project itself writes. */
export const programSections = ["install", "app"] as const;
/** `access`: the visits to a site that has them logged. It is read by itself, only where it is asked for. */
export const logSections = [...programSections, "access"] as const;
export const logSection = z.enum(logSections);
export type LogSection = (typeof logSections)[number];

/** `system`: lines that Tijolo itself writes for the owner. */
export const logStreams = ["stdout", "stderr", "system"] as const;
export const logStream = z.enum(logStreams);
export type LogStream = (typeof logStreams)[number];

export const logLine = component(
  "LogLine",
  z.strictObject({
    at: timestamp,
    section: logSection,
    stream: logStream,
    version: z.int(),
    text: z.string(),
  }),
  {
    text: { pt: "Uma linha de log.", en: "A line of a log." },
    example: { at: "2026-01-01T12:00:04.123Z", section: "app", stream: "stdout", version: 3, text: "Ready" },
    fields: {
      at: sharedWords.at,
      section: {
        pt: "`install` é Instalação, `app` é Aplicação, `access` são as visitas.",
        en: "`install` is the installation, `app` is the application, `access` are the visits.",
      },
      stream: {
        pt: "`system`: linhas que o próprio serviço escreve para o dono.",
        en: "`system`: lines that the service itself writes for the owner.",
      },
      version: {
        pt: "O envio que escreveu a linha; 0 em `access`.",
        en: "The upload that wrote the line; 0 in `access`.",
      },
      text: {
        pt: "O texto. Linhas com mais de 16 KB chegam cortadas e marcadas.",
        en: "The text. Lines of more than 16 KB arrive cut and marked.",
      },
    },
  },
);
export type LogLine = z.infer<typeof logLine>;

/** Lines that were dropped; reported always. */
export const logGap = component("LogGap", z.strictObject({ at: timestamp, droppedLines: z.int() }), {
  text: {
    pt: "Linhas que se perderam, por enchente ou por idade.",
    en: "Lines that were lost, because there were too many or because of their age.",
  },
  fields: {
    at: { pt: "Onde, entre as linhas.", en: "Where, among the lines." },
    droppedLines: { pt: "Quantas linhas se perderam.", en: "How many lines were lost." },
  },
});
export type LogGap = z.infer<typeof logGap>;

const eventWords = {
  event: { pt: "Tipo do evento.", en: "The kind of event." },
  id: {
    pt: "Cursor desta linha, para continuar depois dela.",
    en: "The cursor of this line, to continue after it.",
  },
  data: { pt: "O conteúdo do evento.", en: "The content of the event." },
};

/**
 * Events of a stream, one SSE event each: `log`, `status` when the project's status changed, `gap` when lines
 * were dropped.
 */
export const logEvent = named(
  "LogEvent",
  z.discriminatedUnion("event", [
    described(z.strictObject({ event: z.literal("log"), id: z.string(), data: logLine }), eventWords),
    described(
      z.strictObject({
        event: z.literal("status"),
        data: described(
          z.strictObject({ at: timestamp, status: projectStatus, lastExit: lastExit.nullable() }),
          {
            at: sharedWords.at,
            status: { pt: "Estado do projeto.", en: "The project's status." },
            lastExit: lastExitWords,
          },
        ),
      }),
      eventWords,
    ),
    described(
      z.strictObject({
        event: z.literal("gap"),
        id: z.string().optional(),
        data: logGap,
      }),
      eventWords,
    ),
  ]),
  {
    text: {
      pt: "Um evento do stream: `log` é uma linha, `status` uma mudança do projeto, `gap` diz que linhas se perderam. Na rede, `event` e `id` são campos SSE e `data` é JSON.",
      en: "An event of the stream: `log` is a line, `status` a change of the project, `gap` says that lines were lost. On the wire, `event` and `id` are SSE fields and `data` is JSON.",
    },
  },
);
export type LogEvent = z.infer<typeof logEvent>;

const integerText = z
  .string()
  .regex(/^\d{1,9}$/, inputReasons.badWholeNumber.pt)
  .transform(Number);
const booleanText = z.enum(["true", "false"]).transform((text) => text === "true");

/**
 * Accepts the cursors that the link accepts (`plainText`). It is a check, not a pattern, because few clients'
 * tools can read that pattern.
 */
const cursorText = z
  .string()
  .max(500)
  .refine((text) => toPlainText(text) === text, { error: inputReasons.controlCharacter.pt });

const filterFields = {
  section: z.enum(["all", ...logSections]).default("all"),
  since: z.iso.datetime().max(100).optional(),
  until: z.iso.datetime().max(100).optional(),
  q: z.string().min(1).max(lengths.logSearch.most).optional(),
  stream: logStream.optional(),
};

const filterWords = {
  section: {
    pt: "Só Instalação (`install`), só Aplicação (`app`) ou as duas (`all`); ou só as visitas (`access`), de um site que as registra (`accessLog`).",
    en: "Only the installation (`install`), only the application (`app`), or both (`all`); or only the visits (`access`), of a site that has them logged (`accessLog`).",
  },
  since: { pt: "Só linhas a partir deste momento.", en: "Only lines from this time on." },
  q: {
    pt: "Só linhas que contêm este texto, entre todas as guardadas.",
    en: "Only lines that contain this text, among all that are stored.",
  },
  stream: { pt: "Só linhas desta saída.", en: "Only lines of this output." },
};

/** Query of `GET /projects/{id}/logs/download`. */
export const logDownloadQuery = described(z.strictObject(filterFields), {
  ...filterWords,
  until: {
    pt: "Só linhas até este momento; sem ele, até agora.",
    en: "Only lines up to this time; without it, up to now.",
  },
});
export type LogDownloadQuery = z.infer<typeof logDownloadQuery>;

/** Query of `GET /projects/{id}/logs`. */
export const logQuery = described(
  z
    .strictObject({
      lines: integerText.pipe(z.int().min(0).max(1000)).default(100),
      ...filterFields,
      follow: booleanText.default(true),
      cursor: cursorText.optional(),
      before: cursorText.optional(),
    })
    .refine(({ cursor, before }) => cursor === undefined || before === undefined, {
      error: inputReasons.beforeAndCursor.pt,
      path: ["before"],
    }),
  {
    ...filterWords,
    lines: {
      pt: "Quantas das últimas linhas vêm primeiro, até 1000.",
      en: "How many of the last lines come first, up to 1000.",
    },
    follow: {
      pt: "`false`: um documento JSON com o que há, em vez do stream.",
      en: "`false`: a JSON document with what there is, instead of the stream.",
    },
    until: {
      pt: "Só linhas até este momento; passado ele, o stream termina depois da última.",
      en: "Only lines up to this time; once it has passed, the stream ends after the last one.",
    },
    cursor: {
      pt: "Continua depois desta linha; o mesmo que o cabeçalho `Last-Event-ID`.",
      en: "Continues after this line; the same as the header `Last-Event-ID`.",
    },
    before: {
      pt: "Só linhas que vêm antes deste cursor, em geral o `previousCursor` de uma página, com os mesmos filtros dela. Só num documento JSON, e não junto com `cursor`.",
      en: "Only lines that come before this cursor, usually the `previousCursor` of a page, with the same filters as that page. Only in a JSON document, and not together with `cursor`.",
    },
  },
);
export type LogQuery = z.infer<typeof logQuery>;
