/**
 * `pnpm panel:dev`: the network of `pnpm dev`, and before it the panel with hot reload: a changed source of
 * the panel is in the browser at once, one of another program restarts the network. `TIJOLO_DEV_PANEL_PORT`
 * replaces the panel's port.
 */

import { join } from "node:path";
import { loadVite } from "../../central/panel/build.ts";
import { openNetwork } from "./network.ts";

const panel = join(import.meta.dirname, "../../central/panel");
const port = Number(process.env["TIJOLO_DEV_PANEL_PORT"] ?? 5173);
const url = `http://localhost:${port}`;

// Central takes the address of Vite's server for the panel's own: requests that come through it are of the same
// origin, and passkeys are made for it.
const { cluster, summary, parts } = await openNetwork({ centralSettings: { TIJOLO_PANEL_URL: url } });
const { createServer } = await loadVite();
const server = await createServer({
  root: panel,
  configFile: join(panel, "vite.config.ts"),
  configLoader: "native",
  server: { host: "localhost", port, strictPort: true, proxy: { "/api": cluster.centralUrl } },
});
parts.defer(() => server.close());
await server.listen();
console.log(`${summary}\n  panel          ${url}\n`);
