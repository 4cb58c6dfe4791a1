import { inBoth } from "../in-both.ts";

/** Explains the exit codes of programs. */
export const exitTexts = inBoth(
  {
    "0": "O programa terminou por conta própria, sem erro. Um bot ou site precisa continuar rodando: confira se ele espera por algo.",
    "1": "O programa terminou com um erro. A causa costuma estar nas últimas linhas do log.",
    "2": "O comando foi chamado de um jeito errado, ou o shell não entendeu uma linha.",
    "126": "O arquivo existe, mas não é executável. Rode-o pelo interpretador, por exemplo node ou bash.",
    "127": "O comando não existe. Confira o nome, e se a dependência que o traz está instalada.",
    "130": "O programa recebeu uma interrupção (SIGINT).",
    "134": "O programa abortou (SIGABRT). Em Node.js costuma ser memória: aumente a memória do projeto.",
    "137":
      "O programa foi morto (SIGKILL). Quase sempre passou da memória do projeto: aumente-a, ou use menos.",
    "139": "Falha de memória do programa (SIGSEGV), em geral de um módulo compilado.",
    "143": "O programa foi parado com um pedido normal (SIGTERM), como numa parada ou num reinício.",
  },
  {
    "0": "The program ended by itself, without an error. A bot or a site has to keep running: check that it waits for something.",
    "1": "The program ended with an error. The cause is usually in the last lines of the log.",
    "2": "The command was called in a wrong way, or the shell did not understand a line.",
    "126": "The file exists but cannot be executed. Run it by its interpreter, such as node or bash.",
    "127": "The command does not exist. Check its name, and that the dependency that brings it is installed.",
    "130": "The program was interrupted (SIGINT).",
    "134": "The program aborted (SIGABRT). In Node.js it is usually memory: raise the project's memory.",
    "137":
      "The program was killed (SIGKILL). It almost always went over the project's memory: raise it, or use less.",
    "139": "A memory fault of the program (SIGSEGV), usually in a compiled module.",
    "143": "The program was stopped in the normal way (SIGTERM), as by a stop or a restart.",
  },
);
