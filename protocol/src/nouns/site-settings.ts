/**
 * Defines what a site's owner decides about its visitors; it takes effect at once, without a restart, but for
 * `deploy`, which takes effect at the next start.
 */

import { z } from "zod";
import { component, described } from "../contract/described.ts";
import { inputReasons } from "../contract/input-reasons.ts";

const words = {
  maintenance: {
    pt: "Se os visitantes veem uma página de manutenção (503) em vez do site, que continua rodando.",
    en: "Whether visitors see a page about maintenance (503) instead of the site, which goes on running.",
  },
  hsts: {
    pt: "Se os navegadores são mandados a usar só HTTPS por 180 dias, onde o site tem HTTPS e não diz outra coisa.",
    en: "Whether browsers are told to use HTTPS only for 180 days, where the site has HTTPS and says nothing else.",
  },
  healthPath: {
    pt: "Caminho que responde com 200 a 399 quando o site está pronto, como /saude: visitas só chegam a um processo novo depois disso, e uma versão nova que não responde assim em 60 s dá lugar à anterior. null: basta que ouça a porta. Recusado num projeto `static`, que não tem processo.",
    en: "Path that answers with 200 to 399 once the site is ready, such as /health: visits reach a new process only after that, and a new version that does not answer so within 60 s gives way to the one before. null: it is enough that it listens on its port. Refused for a `static` project, which has no process.",
  },
  drainSeconds: {
    pt: "Segundos que um processo que vai dar lugar a outro tem para terminar as respostas em andamento. null: 5 quando as visitas novas esperam enquanto isso (`hold`), 30 quando o próximo já as atende (`overlap`); só então esperam-se também WebSockets e fluxos de eventos. Recusado num projeto `static`.",
    en: "Seconds that a process which is about to give way has to finish the responses under way. null: 5 where new visits wait meanwhile (`hold`), 30 where the next one answers them already (`overlap`); only then are WebSockets and streams of events waited for, too. Refused for a `static` project.",
  },
  compression: {
    pt: "Se as respostas de texto (HTML, JSON, CSS, JavaScript, SVG) vão comprimidas (gzip) aos navegadores que aceitam, quando o programa não as comprime.",
    en: "Whether answers of text (HTML, JSON, CSS, JavaScript, SVG) are compressed (gzip) for browsers that take that, where the program does not compress them.",
  },
  deploy: {
    pt: "Como um processo dá lugar ao próximo, a partir do próximo início: com `hold` o antigo para, o novo inicia, e as visitas esperam; com `overlap` o novo inicia ao lado do antigo, que responde até o novo estar pronto. `overlap` é para sites que não guardam nada em disco: o que um processo grava se perde quando ele acaba. Ocupa a memória do projeto duas vezes durante a troca; numa máquina sem tanta memória livre, a troca é como com `hold`. Em sites estáticos não muda nada.",
    en: "How a process gives way to the next one, from the next start on: with `hold` the old one stops, the new one starts, and visits wait; with `overlap` the new one starts beside the old one, which answers until the new one is ready. `overlap` is for sites that keep nothing on their disk: what a process writes is lost when it ends. It takes the project's memory twice while the two run; on a host without so much free memory it is as with `hold`. It changes nothing for static sites.",
  },
  protocol: {
    pt: "O que o programa fala: `http1` (HTTP/1.1 e WebSocket), ou `h2c` (HTTP/2 sem TLS), como servidores gRPC. Recusado num projeto `static`, e junto com healthPath, que é pedido por HTTP/1.1. Visitas que esperam uma troca com `hold` vão por HTTP/1.1: com `h2c` use `overlap`.",
    en: "What the program speaks: `http1` (HTTP/1.1 and WebSocket), or `h2c` (HTTP/2 without TLS), as servers of gRPC do. Refused for a `static` project, and together with healthPath, which is asked for over HTTP/1.1. Visits that wait for a change with `hold` go by HTTP/1.1: use `overlap` with `h2c`.",
  },
  accessLog: {
    pt: "Se cada visita vira uma linha de log (`section=access`), por até 31 dias: `off` não, `short` com o endereço do visitante cortado (/24, /48), `full` com ele inteiro.",
    en: "Whether each visit becomes a line of a log (`section=access`), for up to 31 days: `off` does not, `short` with the visitor's address cut (/24, /48), `full` with all of it.",
  },
};

/** `hold`: the next run starts once the one before has stopped; `overlap`: it starts beside it. */
export const deployModes = ["hold", "overlap"] as const;
export const deployMode = z.enum(deployModes);
export type DeployMode = z.infer<typeof deployMode>;

/** `h2c`: HTTP/2 without TLS, which both sides know beforehand (RFC 9113, section 3.3). */
export const siteProtocols = ["http1", "h2c"] as const;
export const siteProtocol = z.enum(siteProtocols);

/** `short`: of a visitor's address only its network (/24, /48); `full`: all of it. */
export const accessLogs = ["off", "short", "full"] as const;
export const accessLog = z.enum(accessLogs);
export type AccessLog = z.infer<typeof accessLog>;

/** A path without anything that a request line cannot hold. */
export const healthPath = z
  .string()
  .max(256)
  .regex(/^\/[\x21-\x7e]*$/, inputReasons.badHealthPath.pt);

/** Seconds that responses under way have to finish before their run is stopped for the next one. */
export const drainSeconds = z.int().min(0).max(300);
/**
 * Holds where a site's owner chose none, by whether the next run answers new visits already: with `hold` they
 * wait meanwhile, and few responses take longer.
 */
export const defaultDrainSeconds: Readonly<Record<DeployMode, number>> = { hold: 5, overlap: 30 };

export const siteSettings = component(
  "SiteSettings",
  z.strictObject({
    maintenance: z.boolean(),
    hsts: z.boolean(),
    compression: z.boolean(),
    healthPath: healthPath.nullable(),
    drainSeconds: drainSeconds.nullable(),
    deploy: deployMode,
    protocol: siteProtocol,
    accessLog,
  }),
  {
    text: {
      pt: "O que vale para as visitas de um site.",
      en: "What holds for the visits to a site.",
    },
    example: {
      maintenance: false,
      hsts: true,
      compression: true,
      healthPath: "/health",
      drainSeconds: 60,
      deploy: "hold",
      protocol: "http1",
      accessLog: "short",
    },
    fields: words,
  },
);
export type SiteSettings = z.infer<typeof siteSettings>;

/** Holds for a site as long as nobody has said otherwise. */
export const defaultSiteSettings: SiteSettings = {
  maintenance: false,
  hsts: true,
  compression: true,
  healthPath: null,
  drainSeconds: null,
  deploy: "hold",
  protocol: "http1",
  accessLog: "off",
};

/** Returns settings with the default of each that was left out. */
export function withDefaultSiteSettings(given: {
  [Name in keyof SiteSettings]?: SiteSettings[Name] | undefined;
}): SiteSettings {
  const said = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return { ...defaultSiteSettings, ...said };
}

/** Replaces all settings: what is left out has its default again. */
export const newSiteSettings = described(
  z.strictObject({
    maintenance: z.boolean().optional(),
    hsts: z.boolean().optional(),
    compression: z.boolean().optional(),
    healthPath: healthPath.nullable().optional(),
    drainSeconds: drainSeconds.nullable().optional(),
    deploy: deployMode.optional(),
    protocol: siteProtocol.optional(),
    accessLog: accessLog.optional(),
  }),
  words,
);
