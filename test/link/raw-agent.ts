/**
 * Provides an agent's side of one WebSocket without the agent: frames by hand, for what an honest agent never
 * does.
 */

import { WebSocket } from "ws";
import { helloSignatureText, linkProtocol, type LinkSocket } from "@tijolo/protocol";
import type { Identity } from "@tijolo/protocol/kit/link";
import { sampleResources } from "./samples.ts";

const spoken = { min: linkProtocol.min, max: linkProtocol.max };

interface Answer {
  id: number | null;
  result?: { type: string; data?: unknown };
  error?: { message: string; data: { code: string; stack?: string } };
}

export class RawAgent implements Disposable {
  readonly webSocket: WebSocket;
  readonly answers: Answer[] = [];
  closeCode: number | undefined;
  #lastId = 0;

  /** Is called by {@link RawAgent.open} only. */
  constructor(webSocket: WebSocket) {
    this.webSocket = webSocket;
    webSocket.setMaxListeners(0); // each call under way listens
    webSocket.on("error", () => {});
    webSocket.on("close", (code) => (this.closeCode = code));
    webSocket.on("message", (data) => {
      const text = String(data);
      if (text === "PING") webSocket.send("PONG");
      else if (text !== "PONG") this.answers.push(JSON.parse(text) as Answer);
    });
  }

  static async open(
    port: number,
    localAddress = "127.0.0.1",
    headers: Record<string, string> = {},
  ): Promise<RawAgent> {
    const agent = new RawAgent(new WebSocket(`ws://127.0.0.1:${port}/link`, { localAddress, headers }));
    await new Promise((resolve, reject) => agent.webSocket.once("open", resolve).once("error", reject));
    return agent;
  }

  /** Resolves with the data of the answer, or throws `CODE: message`. */
  async call(
    path: string,
    input?: unknown,
    method: "mutation" | "subscription" = "mutation",
  ): Promise<unknown> {
    const id = ++this.#lastId;
    this.webSocket.send(JSON.stringify({ id, method, params: { path, input } }));
    const answer = await new Promise<Answer>((resolve, reject) => {
      const look = () => {
        const found = this.answers.find((candidate) => candidate.id === id);
        if (found === undefined && this.closeCode === undefined) return;
        this.webSocket.off("message", look).off("close", look);
        if (found === undefined) reject(new Error(`closed ${this.closeCode}`));
        else resolve(found);
      };
      this.webSocket.on("message", look).on("close", look);
      look();
    });
    if (answer.error !== undefined) throw new Error(`${answer.error.data.code}: ${answer.error.message}`);
    return answer.result?.data;
  }

  async hello(
    host: { hostId: string; identity: Identity },
    changes: {
      socket?: LinkSocket;
      nonce?: string;
      signedHostId?: string;
      protocol?: { min: number; max: number };
      more?: object;
    } = {},
  ): Promise<{ bearer: string }> {
    const { nonce } = (await this.call("challenge")) as { nonce: string };
    const socket = changes.socket ?? "control";
    const signature = host.identity.sign(
      helloSignatureText({
        hostId: changes.signedHostId ?? host.hostId,
        socket,
        nonce: changes.nonce ?? nonce,
      }),
    );
    return (await this.call("hello", {
      ...this.helloInput(host.hostId, socket, signature),
      protocol: changes.protocol ?? spoken,
      ...changes.more,
    })) as {
      bearer: string;
    };
  }

  helloInput(hostId: string, socket: LinkSocket, signature: string): object {
    return {
      hostId,
      socket,
      signature,
      epoch: 0,
      protocol: spoken,
      build: "t",
      resources: sampleResources,
    };
  }

  [Symbol.dispose](): void {
    this.webSocket.terminate();
  }
}
