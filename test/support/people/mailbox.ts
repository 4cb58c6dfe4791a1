/** Runs a mail server on loopback that keeps what it receives. */

import { once } from "node:events";
import { SMTPServer } from "smtp-server";
import { until } from "../until.ts";

export interface ReceivedMail {
  to: string[];
  /** Subject, text and page of the mail, decoded. */
  text: string;
}

export class Mailbox implements AsyncDisposable {
  readonly mails: ReceivedMail[] = [];
  /** Number of messages that are still to be deferred. */
  putOff = 0;
  attempts = 0;
  readonly #server: SMTPServer;
  port = 0;

  private constructor() {
    this.#server = new SMTPServer({
      disabledCommands: ["AUTH", "STARTTLS"],
      onData: (stream, { envelope }, callback) => {
        const chunks: Buffer[] = [];
        stream.on("data", (chunk: Buffer) => chunks.push(chunk));
        stream.on("end", () => {
          this.attempts++;
          if (this.putOff > 0) {
            this.putOff--;
            callback(Object.assign(new Error("try again later"), { responseCode: 451 }));
            return;
          }
          this.mails.push({
            to: envelope.rcptTo.map(({ address }) => address),
            text: decode(Buffer.concat(chunks).toString("latin1")),
          });
          callback();
        });
      },
    });
  }

  static async open(): Promise<Mailbox> {
    const mailbox = new Mailbox();
    const listening = once(mailbox.#server.listen(0, "127.0.0.1"), "listening");
    await listening;
    const address = mailbox.#server.server.address();
    mailbox.port = typeof address === "object" && address !== null ? address.port : 0;
    return mailbox;
  }

  /** Returns the settings of a central that sends by it. */
  get settings(): Record<string, string> {
    return {
      TIJOLO_SMTP_URL: `smtp://127.0.0.1:${this.port}`,
      TIJOLO_MAIL_FROM: "Tijolo <tijolo@example.com>",
    };
  }

  /** Removes the next mail to `email` and returns the token of its link. */
  async takeToken(email: string, page: string): Promise<string> {
    return until(
      () => {
        const index = this.mails.findIndex(({ to, text }) => to.includes(email) && text.includes(page));
        if (index === -1) return undefined;
        const [mail] = this.mails.splice(index, 1);
        return /token=([\w-]+)/.exec(mail?.text ?? "")?.[1];
      },
      { timeoutMs: 20_000 },
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

/** Decodes quoted-printable, which these mails use. */
function decode(source: string): string {
  const bytes = source
    .replace(/=\r?\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}
