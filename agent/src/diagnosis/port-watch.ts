/**
 * Looks, a while after a site's start, whether it listens where visits come in, and tells its log what to
 * change.
 */

import type { Language, ProjectSettings } from "@tijolo/protocol";
import type { Logger } from "pino";
import type { Listener } from "./listeners.ts";

export interface PortWatchOptions {
  /** Undefined where nothing can be told of the project. */
  readListeners: (projectId: string) => Promise<Listener[] | undefined>;
  isRunning: (projectId: string, runNumber: number) => boolean;
  say: (projectId: string, text: string) => Promise<void>;
  logger: Pick<Logger, "warn">;
  /** How long a program has to listen. Default 20 s. */
  afterMs?: number;
}

const defaultAfterMs = 20_000;

export class PortWatch implements Disposable {
  readonly #options: PortWatchOptions;
  /** One look per project: that of its newest run. */
  readonly #timers = new Map<string, NodeJS.Timeout>();

  constructor(options: PortWatchOptions) {
    this.#options = options;
  }

  watch(projectId: string, runNumber: number, { type, language, port }: ProjectSettings): void {
    clearTimeout(this.#timers.get(projectId));
    this.#timers.delete(projectId);
    if (type !== "site" || port === null || language === "static") return;
    const timer = setTimeout(() => {
      this.#timers.delete(projectId);
      this.#look(projectId, runNumber, { language, port }).catch((error: unknown) => {
        this.#options.logger.warn({ err: error, projectId }, "what a site listens on could not be read");
      });
    }, this.#options.afterMs ?? defaultAfterMs);
    this.#timers.set(projectId, timer);
  }

  [Symbol.dispose](): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  async #look(
    projectId: string,
    runNumber: number,
    site: { language: Language; port: number },
  ): Promise<void> {
    const { readListeners, isRunning, say } = this.#options;
    if (!isRunning(projectId, runNumber)) return;
    const listeners = await readListeners(projectId);
    if (listeners === undefined || !isRunning(projectId, runNumber)) return;
    const text = explainListeners(listeners, site);
    if (text !== undefined) await say(projectId, text);
  }
}

/** What to change; undefined when the site can be reached on its port. */
export function explainListeners(
  listeners: readonly Listener[],
  { language, port }: { language: Language; port: number },
): string | undefined {
  const onPort = listeners.filter((listener) => listener.port === port);
  if (onPort.some(({ on }) => on !== "loopback")) return undefined;
  if (onPort.length > 0) {
    return `O site ouve a porta ${port} só em 127.0.0.1, e por isso ninguém o alcança. Ouça em 0.0.0.0${exampleOf(language)}.`;
  }
  const others = [...new Set(listeners.map((listener) => listener.port))].sort((a, b) => a - b).slice(0, 5);
  if (others.length === 0) {
    return `Nada ouve a porta ${port} ainda, e o site não responde. Ouça em 0.0.0.0, na porta da variável PORT${exampleOf(language)}.`;
  }
  const ports = others.length === 1 ? `a porta ${others[0]}` : `as portas ${others.join(", ")}`;
  return `O site ouve ${ports}, mas as visitas chegam na porta ${port}. Use a variável PORT${exampleOf(language)}, ou mude port do projeto.`;
}

const examples: Partial<Record<Language, string>> = {
  node: 'app.listen(process.env.PORT, "0.0.0.0")',
  python: 'app.run(host="0.0.0.0", port=int(os.environ["PORT"])), ou gunicorn -b 0.0.0.0:$PORT',
  java: "-Dserver.port=$PORT -Dserver.address=0.0.0.0 no command",
  go: 'http.ListenAndServe(":"+os.Getenv("PORT"), nil)',
  ruby: "rackup -o 0.0.0.0 -p $PORT no command",
  php: "deixe command vazio, que o servidor de PHP do Tijolo já ouve lá",
  elixir: 'ip: {0, 0, 0, 0}, port: String.to_integer(System.get_env("PORT"))',
  dotnet: "--urls http://0.0.0.0:$PORT no command",
};

function exampleOf(language: Language): string {
  const example = examples[language];
  return example === undefined ? "" : `: ${example}`;
}
