/** Sites whose programs fail once they have a visit, behind a real HAProxy and central's real pages server. */

import { createServer, type Socket } from "node:net";
import { TrustedProxies } from "../../central/src/app/identity/trusted-proxies.ts";
import { GatewayFixture } from "./gateway-fixture.ts";
import { HaproxyFixture, pagesKey } from "./haproxy-fixture.ts";

export const html = { accept: "text/html,*/*;q=0.8" };
export const json = { accept: "application/json" };

/** Behaviour of a program once it has read the head of a request. */
export type Fault = (socket: Socket) => void;

export class FailingSites implements AsyncDisposable {
  readonly haproxy: HaproxyFixture;
  /** The pages server. */
  readonly pages: GatewayFixture;
  /** Methods of the requests that each site's program has read. */
  readonly read = new Map<string, string[]>();

  private constructor(haproxy: HaproxyFixture, pages: GatewayFixture) {
    this.haproxy = haproxy;
    this.pages = pages;
  }

  static async create(argv: string[], change: { programSilenceMs?: number } = {}): Promise<FailingSites> {
    const haproxy = await HaproxyFixture.create(argv, [], change);
    const proxies = new TrustedProxies([], { isGatewayKey: (said) => said === pagesKey });
    const pages = await GatewayFixture.create({
      gateway: { proxies },
      ingress: { times: { listenMs: 50 } },
    });
    await haproxy.serve({ pages: { host: "127.0.0.1", port: pages.port } });
    return new FailingSites(haproxy, pages);
  }

  /** Adds a site whose program fails in this way. */
  async add(name: string, fault: Fault): Promise<void> {
    await this.at(name, await this.haproxy.listen(this.#program(name, fault)));
  }

  /** Adds a site whose program is at this port. */
  async at(name: string, port: number): Promise<void> {
    this.pages.site(name, { kind: "process", address: "127.0.0.1", port });
    await this.haproxy.site(name, port);
  }

  /** Starts the program of a site that is there. */
  async startAt(name: string, fault: Fault): Promise<void> {
    await this.haproxy.listen(this.#program(name, fault), this.haproxy.portOf(name));
  }

  setPage(name: string, page: string, text: string): void {
    this.pages.pages.set(`project-${name} ${page}`, text);
  }

  get(name: string, visit: Parameters<HaproxyFixture["get"]>[2] = {}) {
    return this.haproxy.get(name, "/", visit);
  }

  /** Returns the projects of the visits that the pages server took on. */
  carriedByPagesServer(): string[] {
    return this.pages.counted.map(({ projectId }) => projectId);
  }

  #program(name: string, fault: Fault) {
    const read: string[] = [];
    this.read.set(name, read);
    return createServer((socket) => {
      socket.on("error", () => {});
      let text = "";
      socket.on("data", (data) => {
        text += data.toString("latin1");
        if (!text.includes("\r\n\r\n")) return;
        read.push(text.split(" ", 1)[0] ?? "");
        text = "";
        fault(socket);
      });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.haproxy[Symbol.asyncDispose]();
    await this.pages[Symbol.asyncDispose]();
  }
}
