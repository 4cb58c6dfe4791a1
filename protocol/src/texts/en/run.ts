/** What a host says of a project's start, run and end, in English. */

import type { Language } from "../../nouns/language.ts";
import type { MessageTexts } from "../../project/owner-message.ts";
import type { runMessages } from "../../project/run-messages.ts";

export const run: MessageTexts<typeof runMessages> = {
  start_impossible: () => "The project could not be started.",
  entry_missing: ({ entry }) => `The start file ${entry} is not in the .zip. Check entry and command.`,
  folder_missing: ({ folder }) =>
    `The folder ${folder} (root) is not in the .zip. If a build makes it, put a build script into package.json, or the command into installCommand.`,
  disk_damaged: () =>
    "The project's disk is damaged, and the automatic repair could not recover it. Your code is not at fault: talk to the service's team. The project comes back by itself once the disk is in order.",
  disk_read_only: () =>
    "The project's disk met an error and takes no more writes. Restart the project so that the disk is checked.",
  start_command_unknown: () => "The command was not found (code 127).",
  start_command_not_executable: () => "The command cannot be executed (code 126).",
  memory_exceeded: ({ memoryMb }) => `The project used more than ${memoryMb} MB of memory.`,
  earlier_version_stays_up: ({ version }) => `Version ${version} is still up.`,
  earlier_version_is_back: ({ version }) => `Version ${version} is up again.`,
  exit_code: ({ exitCode }) => `Exit code: ${exitCode}.`,
  ended: ({ exitCode, seconds, comesBack }) =>
    `The process ended with code ${exitCode} ${after(seconds)}.${next(comesBack)}`,
  ended_out_of_memory: ({ seconds, comesBack }) =>
    `The process exceeded its memory limit and was ended ${after(seconds)}.${next(comesBack)}`,
  ended_with_host: ({ comesBack }) => `The server was restarted.${next(comesBack)}`,
  site_unhealthy: ({ path, status }) =>
    `The site ${status === null ? "did not answer" : `answered with ${status}`} at ${path} (healthPath). Visits reach it only once the answer there is 200 to 399.`,
  site_on_loopback: ({ port, language }) =>
    `The site listens on port ${port} of 127.0.0.1 only, so nobody reaches it. Listen on 0.0.0.0${examples[language]}.`,
  site_without_port: ({ port, language }) =>
    `Nothing listens on port ${port} yet, and the site does not answer. Listen on 0.0.0.0, on the port of the variable PORT${examples[language]}.`,
  site_on_other_ports: ({ port, language, ports }) =>
    `The site listens on ${ports.length === 1 ? "port" : "ports"} ${ports.join(", ")}, but visits come to port ${port}. Use the variable PORT${examples[language]}, or change the project's port.`,
};

function after(seconds: number): string {
  return `after ${seconds.toFixed(1)} s`;
}

function next(comesBack: boolean): string {
  return comesBack ? " It will come back by itself." : "";
}

/** How programs of each language listen on the port that visits come to. */
const examples: Record<Language, string> = {
  node: ': app.listen(process.env.PORT, "0.0.0.0")',
  python: ': app.run(host="0.0.0.0", port=int(os.environ["PORT"])), or gunicorn -b 0.0.0.0:$PORT',
  java: ": -Dserver.port=$PORT -Dserver.address=0.0.0.0 in command",
  go: ': http.ListenAndServe(":"+os.Getenv("PORT"), nil)',
  ruby: ": rackup -o 0.0.0.0 -p $PORT in command",
  php: ": leave command empty, as Tijolo's PHP server listens there already",
  elixir: ': ip: {0, 0, 0, 0}, port: String.to_integer(System.get_env("PORT"))',
  dotnet: ": --urls http://0.0.0.0:$PORT in command",
  static: "",
};
