import { inBoth } from "./in-both.ts";

/** Names of the languages that projects run on, by the word of the interface. */
export const languageTexts = inBoth(
  {
    node: "Node.js",
    python: "Python",
    java: "Java",
    go: "Go",
    php: "PHP",
    ruby: "Ruby",
    dotnet: ".NET",
    elixir: "Elixir",
    static: "Páginas prontas (HTML)",
  },
  {
    node: "Node.js",
    python: "Python",
    java: "Java",
    go: "Go",
    php: "PHP",
    ruby: "Ruby",
    dotnet: ".NET",
    elixir: "Elixir",
    static: "Finished pages (HTML)",
  },
);
