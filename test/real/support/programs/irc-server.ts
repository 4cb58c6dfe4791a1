/** Runs Debian's ngIRCd on a machine beyond this one, and a person who talks to a bot there. */

import { once } from "node:events";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import type { ChildProcess } from "node:child_process";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { until } from "../../../support/until.ts";
import { end, OutsideMachine } from "../network/outside-machine.ts";
import { debianPackages } from "./fetched-packages.ts";

export const ircPort = 6667;
export const ircChannel = "#tijolo";

/** Libraries of the server, installed with it because this machine may run another Debian. */
const libraries = [
  "libaudit1",
  "libc6",
  "libcap-ng0",
  "libffi8",
  "libgmp10",
  "libgnutls30t64",
  "libhogweed6t64",
  "libident0",
].concat(["libidn2-0", "libnettle8t64", "libp11-kit0", "libpam0g", "libtasn1-6", "libunistring5", "zlib1g"]);

const settings = (address: string) => `[Global]
Name = irc.test
Listen = ${address}
Ports = ${ircPort}
[Limits]
MaxConnectionsIP = 0
[Options]
DNS = no
Ident = no
PAM = no
[Channel]
Name = ${ircChannel}
`;

export class IrcServer implements AsyncDisposable {
  readonly #machine: OutsideMachine;
  readonly #directory: string;
  #process: ChildProcess | null = null;

  private constructor(machine: OutsideMachine, directory: string) {
    this.#machine = machine;
    this.#directory = directory;
  }

  static async create(): Promise<IrcServer> {
    await using resources = new AsyncDisposableStack();
    const machine = resources.use(await OutsideMachine.create());
    const directory = await mkdtemp(join(tmpdir(), "tijolo-irc-"));
    resources.defer(() => rm(directory, { recursive: true, force: true }));
    await writeFile(join(directory, "ngircd.conf"), settings(machine.address));
    const server = new IrcServer(machine, directory);
    await server.start();
    resources.move();
    return server;
  }

  get address(): string {
    return this.#machine.address;
  }

  async start(): Promise<void> {
    const root = await debianPackages("ngircd", ["ngircd", ...libraries]);
    const [loader = "", library = ""] = await loaderOf(root);
    const program = [
      join(root, "usr/sbin/ngircd"),
      "--nodaemon",
      "--config",
      join(this.#directory, "ngircd.conf"),
    ];
    const child = this.#machine.start([loader, "--library-path", library, ...program]);
    this.#process = child;
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`ngircd ended with ${child.exitCode}`);
      (await this.#connect()).destroy();
      return true;
    });
  }

  /** Kills the server without a message to those who are connected. */
  async kill(): Promise<void> {
    if (this.#process !== null) await end(this.#process);
  }

  /** Joins the channel. */
  async join(nick: string): Promise<IrcPerson> {
    const person = new IrcPerson(await this.#connect());
    person.send(`NICK ${nick}\r\nUSER ${nick} 0 * :${nick}`);
    await person.hears(/ 001 /);
    person.send(`JOIN ${ircChannel}`);
    await person.hears(/ 366 /);
    return person;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#machine[Symbol.asyncDispose]();
    await rm(this.#directory, { recursive: true, force: true });
  }

  async #connect(): Promise<Socket> {
    const socket = connect(ircPort, this.address);
    await once(socket, "connect");
    return socket;
  }
}

export class IrcPerson implements Disposable {
  readonly lines: string[] = [];
  readonly #socket: Socket;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("error", () => socket.destroy()); // the server went away
    createInterface({ input: socket }).on("line", (line) => {
      this.lines.push(line);
      if (line.startsWith("PING ")) this.send(line.replace("PING", "PONG"));
    });
  }

  send(line: string): void {
    this.#socket.write(`${line}\r\n`);
  }

  /** Returns the first line that matches, of those from the `from`th on. */
  hears(pattern: RegExp, from = 0): Promise<string> {
    return until(() => this.lines.slice(from).find((line) => pattern.test(line)), { timeoutMs: 60_000 });
  }

  /** Says something in the channel, and answers with what the bot then says there. */
  async asks(bot: string, text: string): Promise<string> {
    const from = this.lines.length;
    this.send(`PRIVMSG ${ircChannel} :${text}`);
    const said = new RegExp(`^:${bot}![^ ]* PRIVMSG ${ircChannel} :(.*)$`);
    return said.exec(await this.hears(said, from))?.[1] ?? "";
  }

  /** True when somebody is in the channel. */
  async sees(nick: string): Promise<boolean> {
    const from = this.lines.length;
    this.send(`NAMES ${ircChannel}`);
    await this.hears(/ 366 /, from);
    return this.lines.slice(from).some((line) => / 353 /.test(line) && line.split(/[ :@+]/).includes(nick));
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }
}

/** Returns the dynamic loader of an unpacked Debian, and the folder of its libraries. */
async function loaderOf(root: string): Promise<string[]> {
  const paths = (await readdir(join(root, "usr"), { recursive: true })).map((path) =>
    join(root, "usr", path),
  );
  const loader = paths.find((path) => /\/ld-linux-[^/]*\.so\.\d$/.test(path));
  const library = paths.find((path) => path.endsWith("/libc.so.6"));
  if (loader === undefined || library === undefined) throw new Error(`no C library in ${root}`);
  return [loader, join(library, "..")];
}
