/**
 * The small language that says how a simulated program behaves; a project's start or install command is
 * written in it.
 *
 * `sim` and then steps, separated by `;`, done one after the other:
 * - `run`                  runs until it is stopped (what every program does after its last step, too)
 * - `exit <code> [after <ms>]`  ends with the code
 * - `oom [after <ms>]`     is killed for memory: code 137
 * - `wait <ms>`            does nothing for a while
 * - `gate`                 does nothing until the machine opens the gate of its project
 * - `log <count>`          writes `line 1` … `line <count>` to stdout
 * - `print <text>`         writes the text to stdout; `warn <text>` to stderr
 * - `ignore-term`          is not ended by SIGTERM from now on
 * - `term <code>`          ends with this code on SIGTERM (otherwise 143)
 * - `fail-start <text>`    does not come up at all
 * - `deaf`                 a site does not listen on its port from now on; `listen`: it does, as from its start
 *
 * A command that does not begin with `sim` runs until it is stopped; as an install step it succeeds at once.
 */

export type SimulatedStep =
  | { kind: "run" }
  | { kind: "gate" }
  | { kind: "exit"; code: number; afterMs: number; isOutOfMemory: boolean }
  | { kind: "wait"; ms: number }
  | { kind: "log"; count: number }
  | { kind: "print"; stream: "stdout" | "stderr"; text: string }
  | { kind: "ignore-term" }
  | { kind: "deaf" }
  | { kind: "listen" }
  | { kind: "term"; code: number }
  | { kind: "fail-start"; text: string };

/** Parses a command; null for one that is not in the language. Throws for one that is, and is wrong. */
export function parseSimulatedProgram(command: string): SimulatedStep[] | null {
  const match = /^sim\s+(.*)$/s.exec(command.trim());
  const text = match?.[1];
  if (text === undefined) return null;
  return text
    .split(";")
    .map((step) => step.trim())
    .filter((step) => step !== "")
    .map(parseStep);
}

function parseStep(step: string): SimulatedStep {
  const [, word = "", rest = ""] = /^(\S+)\s*(.*)$/s.exec(step) ?? [];
  switch (word) {
    case "run":
    case "gate":
    case "ignore-term":
    case "deaf":
    case "listen":
      return { kind: word };
    case "exit": {
      const [, code, afterMs = "0"] = /^(\d+)(?: after (\d+))?$/.exec(rest) ?? [];
      if (code === undefined) break;
      return { kind: "exit", code: Number(code), afterMs: Number(afterMs), isOutOfMemory: false };
    }
    case "oom": {
      const [, afterMs] = /^after (\d+)$/.exec(rest) ?? [];
      if (rest !== "" && afterMs === undefined) break;
      return { kind: "exit", code: 137, afterMs: Number(afterMs ?? 0), isOutOfMemory: true };
    }
    case "wait":
    case "log":
    case "term":
      if (!/^\d+$/.test(rest)) break;
      if (word === "wait") return { kind: word, ms: Number(rest) };
      return word === "log" ? { kind: word, count: Number(rest) } : { kind: word, code: Number(rest) };
    case "print":
      return { kind: "print", stream: "stdout", text: rest };
    case "warn":
      return { kind: "print", stream: "stderr", text: rest };
    case "fail-start":
      return { kind: "fail-start", text: rest };
  }
  throw new Error(`not a step of a simulated program: ${step}`);
}
