/** What a host says of a project's start, run and end, in Portuguese. */

import type { Language } from "../../nouns/language.ts";
import type { MessageTexts } from "../../project/owner-message.ts";
import type { runMessages } from "../../project/run-messages.ts";

export const run: MessageTexts<typeof runMessages> = {
  start_impossible: () => "O projeto não pôde ser iniciado.",
  entry_missing: ({ entry }) => `O arquivo de início ${entry} não está no .zip. Confira entry e command.`,
  folder_missing: ({ folder }) =>
    `A pasta ${folder} (root) não está no .zip. Se um build a cria, ponha um script build no package.json, ou o comando em installCommand.`,
  disk_damaged: () =>
    "O disco do projeto está danificado e o conserto automático não conseguiu recuperá-lo. Não é um erro do seu código: fale com a equipe do serviço. O projeto volta sozinho quando o disco estiver em ordem.",
  disk_read_only: () =>
    "O disco do projeto encontrou um erro e não aceita mais gravações. Reinicie o projeto para que o disco seja verificado.",
  start_command_unknown: () => "O comando não foi encontrado (código 127).",
  start_command_not_executable: () => "O comando não pode ser executado (código 126).",
  memory_exceeded: ({ memoryMb }) => `O projeto passou de ${memoryMb} MB de memória.`,
  earlier_version_stays_up: ({ version }) => `A versão ${version} continua no ar.`,
  earlier_version_is_back: ({ version }) => `A versão ${version} voltou ao ar.`,
  exit_code: ({ exitCode }) => `Código de saída: ${exitCode}.`,
  ended: ({ exitCode, seconds, comesBack }) =>
    `O processo terminou com código ${exitCode} ${after(seconds)}.${next(comesBack)}`,
  ended_out_of_memory: ({ seconds, comesBack }) =>
    `O processo passou do limite de memória e foi encerrado ${after(seconds)}.${next(comesBack)}`,
  ended_with_host: ({ comesBack }) => `O servidor foi reiniciado.${next(comesBack)}`,
  site_unhealthy: ({ path, status }) =>
    `O site ${status === null ? "não respondeu" : `respondeu com ${status}`} em ${path} (healthPath). As visitas só chegam quando a resposta ali for de 200 a 399.`,
  site_on_loopback: ({ port, language }) =>
    `O site ouve a porta ${port} só em 127.0.0.1, e por isso ninguém o alcança. Ouça em 0.0.0.0${examples[language]}.`,
  site_without_port: ({ port, language }) =>
    `Nada ouve a porta ${port} ainda, e o site não responde. Ouça em 0.0.0.0, na porta da variável PORT${examples[language]}.`,
  site_on_other_ports: ({ port, language, ports }) =>
    `O site ouve ${ports.length === 1 ? "a porta" : "as portas"} ${ports.join(", ")}, mas as visitas chegam na porta ${port}. Use a variável PORT${examples[language]}, ou mude port do projeto.`,
};

function after(seconds: number): string {
  return `depois de ${seconds.toFixed(1).replace(".", ",")} s`;
}

function next(comesBack: boolean): string {
  return comesBack ? " Vai voltar sozinho." : "";
}

/** How programs of each language listen on the port that visits come to. */
const examples: Record<Language, string> = {
  node: ': app.listen(process.env.PORT, "0.0.0.0")',
  python: ': app.run(host="0.0.0.0", port=int(os.environ["PORT"])), ou gunicorn -b 0.0.0.0:$PORT',
  java: ": -Dserver.port=$PORT -Dserver.address=0.0.0.0 no command",
  go: ': http.ListenAndServe(":"+os.Getenv("PORT"), nil)',
  ruby: ": rackup -o 0.0.0.0 -p $PORT no command",
  php: ": deixe command vazio, que o servidor de PHP do Tijolo já ouve lá",
  elixir: ': ip: {0, 0, 0, 0}, port: String.to_integer(System.get_env("PORT"))',
  dotnet: ": --urls http://0.0.0.0:$PORT no command",
  static: "",
};
