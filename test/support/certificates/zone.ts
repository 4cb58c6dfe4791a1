/**
 * An authoritative DNS server of a test's own, which is every zone's name server and every client's resolver. A
 * hook adds TXT records by writing files into its folder.
 */

import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AUTHORITATIVE_ANSWER, decode, encode, type Answer } from "dns-packet";

export class Zone implements AsyncDisposable {
  readonly port: number;
  readonly folder: string;
  /** Addresses of every name; none: names have no address. */
  addresses: string[] = ["127.0.0.1"];
  /** CAA records by name: tag and value. */
  readonly caa = new Map<string, { tag: "issue" | "issuewild"; value: string }[]>();
  readonly aliases = new Map<string, string>();
  readonly #socket: Socket;

  private constructor(socket: Socket, folder: string) {
    this.#socket = socket;
    this.folder = folder;
    this.port = socket.address().port;
    socket.on("message", (message, { address, port }) => {
      this.#answer(message).then(
        (answer) => socket.send(answer, port, address),
        () => {},
      );
    });
  }

  static async open(): Promise<Zone> {
    const socket = createSocket("udp4");
    socket.bind(0, "127.0.0.1");
    await once(socket, "listening");
    return new Zone(socket, await mkdtemp(join(tmpdir(), "tijolo-zone-")));
  }

  /** Writes a hook for this server. `script` is what it does before it writes, in sh. */
  async hook(script = ""): Promise<string> {
    const path = join(this.folder, "hook.sh");
    const lines = [
      "#!/bin/sh",
      script,
      `case "$1" in present) printf '%s' "$3" > "${this.folder}/\${2%.}" ;; cleanup) rm -f "${this.folder}/\${2%.}" ;; esac`,
    ];
    await writeFile(path, `${lines.join("\n")}\n`, { mode: 0o755 });
    return path;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.close();
    await rm(this.folder, { recursive: true });
  }

  async #answer(message: Buffer): Promise<Buffer> {
    const { id, questions } = decode(message);
    const [question] = questions ?? [];
    const name = question?.name.toLowerCase() ?? "";
    return encode({
      type: "response",
      id: id ?? 0,
      flags: AUTHORITATIVE_ANSWER,
      questions: questions ?? [],
      answers: await this.#records(name, question?.type ?? ""),
    });
  }

  async #records(name: string, type: string): Promise<Answer[]> {
    const alias = this.aliases.get(name);
    if (alias !== undefined)
      return [{ type: "CNAME", name, ttl: 1, data: alias }, ...(await this.#records(alias, type))];
    switch (type) {
      case "A":
        return this.addresses.map((data) => ({ type: "A", name, ttl: 1, data }));
      case "NS":
        return name.split(".").length === 2 ? [{ type: "NS", name, ttl: 1, data: `ns.${name}` }] : [];
      case "CAA":
        return (this.caa.get(name) ?? []).map((data) => ({
          type: "CAA",
          name,
          ttl: 1,
          data: { flags: 0, ...data },
        }));
      case "TXT": {
        const text = await readFile(join(this.folder, name), "utf8").catch(() => null);
        return text === null ? [] : [{ type: "TXT", name, ttl: 1, data: [text] }];
      }
      default:
        return [];
    }
  }
}
