/**
 * Proposes settings for Python: by the packages that are required, and by the files that programs usually
 * begin in.
 */

import type { Draft } from "../draft.ts";
import type { TreeReader } from "../project-tree.ts";
import { versionFor } from "../../project/wanted-version.ts";
import {
  packagesNamedIn,
  proposeByCode,
  proposeEntry,
  proposeTypeByPackages,
  type KnownPackages,
  type LanguageProposal,
} from "./language-proposal.ts";

const manifests = ["requirements.txt", "pyproject.toml", "Pipfile", "setup.py"];
const entries = [
  "main",
  "bot",
  "app",
  "server",
  "run",
  "index",
  "__main__",
  "src/main",
  "src/bot",
  "src/app",
].map((name) => `${name}.py`);

const packages: KnownPackages = {
  bots: [
    "discord-py",
    "discord",
    "py-cord",
    "nextcord",
    "disnake",
    "hikari",
    "interactions-py",
    "discord-py-interactions",
    "python-telegram-bot",
    "aiogram",
    "pytelegrambotapi",
    "telethon",
    "pyrogram",
    "pyrofork",
    "twitchio",
    "slack-bolt",
    "tweepy",
    "matrix-nio",
  ],
  sites: [
    "django",
    "flask",
    "fastapi",
    "starlette",
    "quart",
    "sanic",
    "bottle",
    "tornado",
    "falcon",
    "litestar",
    "streamlit",
    "gradio",
    "dash",
    "pyramid",
    "cherrypy",
    "gunicorn",
    "uvicorn",
    "waitress",
  ],
};

export const python: LanguageProposal = {
  sign: (tree) => tree.first([...manifests, "manage.py", ...entries]),
  async propose(draft, tree) {
    const { names, file } = await requiredPackages(tree);
    proposeTypeByPackages(draft, { names, file }, packages);
    await proposeServer(draft, tree, { names, file });
    proposeEntry(draft, tree, entries);
    await proposeByCode(draft, tree, draft.entry);
    await proposeVersion(draft, tree);
  },
};

interface Required {
  names: ReadonlySet<string>;
  /** File that names the packages. */
  file: string;
}

async function requiredPackages(tree: TreeReader): Promise<Required> {
  const found = await tree.firstText(manifests);
  if (found === null) return { names: new Set(), file: "" };
  const { file, text } = found;
  const pattern = file === "requirements.txt" ? /^[ \t]*([A-Za-z0-9][\w.-]*)/gm : /["']?([A-Za-z][\w.-]+)/g;
  return { names: packagesNamedIn(text, pattern), file };
}

/** Proposes the command of a site's server, where its code does not start one itself. */
async function proposeServer(draft: Draft, tree: TreeReader, { names, file }: Required): Promise<void> {
  if (draft.hasStart) return;
  const usual = (name: string) => ({ code: "usual", file, name }) as const;
  const wsgi = tree.endingWith("/wsgi.py")[0]?.replace(/\.py$/, "").replaceAll("/", ".");
  if (tree.has("manage.py")) {
    draft.add("type", "site", { code: "file", file: "manage.py" });
    const serves = names.has("gunicorn") && wsgi !== undefined;
    const command = serves ? `gunicorn -b 0.0.0.0:$PORT ${wsgi}` : "python manage.py runserver 0.0.0.0:$PORT";
    return draft.add("command", command, usual(serves ? "gunicorn" : "django"));
  }
  const main = tree.first(entries);
  if (main === null || draft.type === "bot") return;
  const source = await tree.text(main);
  const module = main.replace(/\.py$/, "").replaceAll("/", ".");
  const app = /^(\w+)\s*(?::[^=\n]+)?=\s*(?:\w+\.)?(FastAPI|Flask|Quart|Starlette|Litestar)\(/m.exec(source);
  if (names.has("streamlit") && /\bstreamlit\b/.test(source))
    return draft.add(
      "command",
      `streamlit run ${main} --server.address 0.0.0.0 --server.port $PORT`,
      usual("streamlit"),
    );
  if (app === null || /uvicorn\.run|\bapp\.run\(|serve_forever|\.run\(\s*(?:host|debug|port)/.test(source))
    return;
  const [, name = "app", framework = ""] = app;
  const isAsync = framework !== "Flask";
  if (isAsync)
    draft.add("command", `uvicorn ${module}:${name} --host 0.0.0.0 --port $PORT`, usual("uvicorn"));
  else if (names.has("gunicorn"))
    draft.add("command", `gunicorn -b 0.0.0.0:$PORT ${module}:${name}`, usual("gunicorn"));
  else draft.add("command", `flask --app ${module} run --host 0.0.0.0 --port $PORT`, usual("flask"));
}

async function proposeVersion(draft: Draft, tree: TreeReader): Promise<void> {
  const own = await tree.firstText([".python-version", "runtime.txt"]);
  if (own !== null)
    return draft.add("version", versionFor("python", own.text.replace(/^python-/, "")), {
      code: "file",
      file: own.file,
    });
  const range = /^\s*(?:requires-python|python|python_version)\s*=\s*["']([^"']+)["']/m;
  for (const file of ["pyproject.toml", "Pipfile"]) {
    const found = range.exec(await tree.text(file))?.[1];
    if (found !== undefined)
      draft.add("version", versionFor("python", found), { code: "stated", file, name: "python" });
  }
}
