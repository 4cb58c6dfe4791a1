/** Proposes settings for the languages that the service compiles or that bring a compiled program. */

import type { Draft } from "../draft.ts";
import type { TreeReader } from "../project-tree.ts";
import { versionFor } from "../../project/wanted-version.ts";
import {
  packagesNamedIn,
  proposeByCode,
  proposeTypeByPackages,
  type KnownPackages,
  type LanguageProposal,
} from "./language-proposal.ts";

const goPackages: KnownPackages = {
  bots: [
    "github-com/bwmarrin/discordgo",
    "github-com/disgoorg/disgo",
    "github-com/go-telegram-bot-api/telegram-bot-api",
    "gopkg-in/telebot",
    "github-com/slack-go/slack",
  ],
  sites: [
    "github-com/gin-gonic/gin",
    "github-com/labstack/echo",
    "github-com/gofiber/fiber",
    "github-com/go-chi/chi",
    "github-com/gorilla/mux",
  ],
};

export const go: LanguageProposal = {
  sign: (tree) => tree.first(["go.mod"]),
  async propose(draft, tree) {
    const file = "go.mod";
    const text = await tree.text(file);
    const names = packagesNamedIn(
      text.replaceAll(/\/v\d+\b/g, ""),
      /^\s*(?:require\s+)?([\w.-]+\.[\w.-]+\/[\w./-]+)\s+v/gm,
    );
    proposeTypeByPackages(draft, { names, file }, goPackages);
    const mains = tree.endingWith("/main.go");
    const [only] = mains;
    if (!tree.has("main.go") && mains.length === 1 && only !== undefined)
      draft.add("entry", only, { code: "file", file: only });
    await proposeByCode(draft, tree, tree.has("main.go") ? "main.go" : (only ?? null));
    const range = /^go\s+(\d+\.\d+)/m.exec(text)?.[1];
    // A newer Go compiles what is written for an older one.
    if (range !== undefined)
      draft.add("version", versionFor("go", `>=${range}`), { code: "stated", file, name: "go" });
  },
};

export const elixir: LanguageProposal = {
  sign: (tree) => tree.first(["mix.exs"]),
  async propose(draft, tree) {
    const file = "mix.exs";
    const names = packagesNamedIn(await tree.text(file), /\{\s*:(\w+)/g);
    const known = {
      bots: ["nostrum", "telegex", "ex-gram"],
      sites: ["phoenix", "bandit", "plug-cowboy", "plug"],
    };
    proposeTypeByPackages(draft, { names, file }, known);
  },
};

export const dotnet: LanguageProposal = {
  sign: (tree) => projectsOf(tree)[0] ?? null,
  async propose(draft, tree) {
    const found = projectsOf(tree);
    const [project = ""] = found;
    const text = await tree.text(project);
    if (/Sdk="Microsoft\.NET\.Sdk\.Web"/.test(text))
      draft.add("type", "site", { code: "stated", file: project, name: "Microsoft.NET.Sdk.Web" });
    proposeTypeByPackages(
      draft,
      { names: packagesNamedIn(text, /Include="([\w.-]+)"/g), file: project },
      { bots: ["discord-net", "dsharpplus", "netcord", "telegram-bot"], sites: [] },
    );
    if (found.length > 1 || project.includes("/"))
      draft.add("entry", project, { code: "file", file: project });
  },
};

function projectsOf(tree: TreeReader): string[] {
  return [".csproj", ".fsproj"].flatMap((ending) => tree.endingWith(ending));
}

/** A Java project is sent as a ready .jar; its sources alone cannot be run. */
export const java: LanguageProposal = {
  sign: (tree) => tree.endingWith(".jar").find(isProgram) ?? null,
  async propose(draft, tree) {
    const jars = tree.endingWith(".jar").filter(isProgram);
    const [jar] = jars;
    if (!draft.hasStart && jar !== undefined) draft.add("entry", jar, { code: "file", file: jar });
    await proposeJavaType(draft, tree);
  },
};

function isProgram(path: string): boolean {
  return (
    !/(?:^|\/)(?:gradle-wrapper|maven-wrapper)\.jar$|-(?:sources|javadoc|plain)\.jar$|(?:^|\/)libs?\//.test(
      path,
    ) || /(?:^|\/)build\/libs\/[^/]+(?<!-plain|-sources|-javadoc)\.jar$/.test(path)
  );
}

async function proposeJavaType(draft: Draft, tree: TreeReader): Promise<void> {
  const found = await tree.firstText(["pom.xml", "build.gradle", "build.gradle.kts"]);
  if (found === null) return;
  const { file, text } = found;
  const names = packagesNamedIn(text, /([A-Za-z][\w-]*(?:\.[\w-]+)*)/g);
  const known = {
    bots: ["jda", "javacord", "discord4j-core", "telegrambots", "telegrambots-longpolling"],
    sites: [
      "spring-boot-starter-web",
      "spring-boot-starter-webflux",
      "javalin",
      "quarkus-rest",
      "ktor-server-netty",
    ],
  };
  proposeTypeByPackages(draft, { names, file }, known);
}
