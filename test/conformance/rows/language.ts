/** Rows of the interface specification: "Versions and behaviours of languages, system packages". */

export const languageRows = {
  "version.node": "`node` | `20`, `22`, `24`, `26`",
  "version.python": "`python` | `3.11`, `3.12`, `3.13`, `3.14`",
  "version.java": "`java` | `21`, `25`",
  "version.go": "`go` | `1.26`, `1.27`",
  "version.php": "`php` | `8.4`, `8.5`",
  "version.ruby": "`ruby` | `3.4`, `4.0`",
  "version.dotnet": "`dotnet` | `10`",
  "version.elixir": "`elixir` | `1.20`",
  "version.static": '`static` | `""`',
  "version.supported":
    "the error `unsupported_language` text lists only `node` 20, 22, 24 and `python` 3.11, 3.12; the project field lists the wider set above.",
  "language.java": "`java` | runs a ready `.jar`",
  "language.go":
    "`go` | compiled on each upload; `entry` is the main whose folder the build compiles (null = root); start command is the build program",
  "language.php_ruby":
    "`php`, `ruby` | install from `composer.json` and `Gemfile`; for a `php` site the start command is the service's own PHP server",
  "language.dotnet":
    "`dotnet` | project is published on each upload; `entry` is the project the build publishes or a ready `.dll`",
  "language.elixir": "`elixir` | project from `mix.exs` compiled on each upload; command `mix run --no-halt`",
  "language.static": "`static` | HTML-only site served by the service",
  "entry.node": "`entry` is derived from `command` when the command is only `node <file>`",
  "entry.tsx": "`entry` is derived from `command` when the command is only `tsx <file>`",
  "entry.python": "`entry` is derived from `command` when the command is only `python <file>`",
  "entry.java": "`entry` is derived from `command` when the command is only `java -jar <file>`",
  "entry.php": "`entry` is derived from `command` when the command is only `php <file>`",
  "entry.ruby": "`entry` is derived from `command` when the command is only `ruby <file>`",
  "entry.dotnet": "`entry` is derived from `command` when the command is only `dotnet <file>.dll`",
  "entry.elixir": "`entry` is derived from `command` when the command is only `mix run --no-halt <file>`",
  "entry.panel": "In those cases the panel shows `command` as empty (empty means: run the entry file).",
  "entry.custom": "`entry` is null with a custom command such as `npm start`.",
  "system_packages.allowed": "`systemPackages` allowed values: `build-essential`, `curl`, … `unzip`, `zip`.",
};
