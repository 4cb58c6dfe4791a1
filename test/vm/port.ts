/** The host's end of one of the virtual machine's serial ports: a Unix socket that QEMU connects to. */

import { createServer, type Socket } from "node:net";
import { createInterface } from "node:readline";

export interface Port {
  /** Resolves when QEMU has hung up and every line was passed on. */
  close(): Promise<void>;
}

/** Listens at `path` for the one connection of the machine and calls `onLine` with each line it writes. */
export async function openPort(path: string, onLine: (line: string) => void): Promise<Port> {
  let connection: Socket | undefined;
  const server = createServer((socket) => {
    connection = socket;
    server.close();
    socket.on("error", () => {}); // QEMU was killed: what it wrote before is still read
    createInterface({ input: socket }).on("line", onLine);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, resolve);
  });
  return {
    async close() {
      server.close();
      if (connection === undefined || connection.closed) return;
      const hungUp = new Promise<void>((resolve) => connection?.once("close", () => resolve()));
      await hungUp;
    },
  };
}
