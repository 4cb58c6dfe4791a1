/**
 * The rules about imports and sockets fire: each is broken once in every folder that it holds for, in a copy
 * of the layout that holds nothing else.
 */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname, "..", "..");

/** Rules on what no file below `folder` may import: a package, or a folder of ours. */
const rules: { folder: string; forbidden: string[] }[] = [
  { folder: "protocol/src", forbidden: ["node:fs/promises", "@tijolo/central", "protocol/kit"] },
  {
    folder: "central/src",
    forbidden: ["node:child_process", "child_process", "@tijolo/agent", "agent/src/host"],
  },
  { folder: "central/src/api", forbidden: ["central/src/store", "central/src/store/tables"] },
  { folder: "central/src/link", forbidden: ["central/src/store", "central/src/store/tables"] },
  { folder: "central/src/pages-server", forbidden: ["central/src/store", "central/src/store/tables"] },
  {
    folder: "central/src/app",
    forbidden: [
      "central/src/api",
      "central/src/link",
      "central/src/pages-server",
      "central/src/store/sqlite",
    ],
  },
  ...["tables", "metrics"].map((name) => ({
    folder: `central/src/store/${name}`,
    forbidden: ["central/src/app", "central/src/store/sqlite"],
  })),
  {
    folder: "central/src/objects",
    forbidden: ["central/src/api", "central/src/link", "central/src/pages-server"],
  },
  {
    folder: "central/src/archive",
    forbidden: ["central/src/api", "central/src/link", "central/src/pages-server"],
  },
  {
    folder: "central/src/store",
    forbidden: [
      "central/src/app",
      "central/src/app/projects",
      "central/src/api",
      "central/src/link",
      "central/src/pages-server",
      "central/src/objects",
    ],
  },
  {
    folder: "agent/src",
    forbidden: ["node:child_process", "child_process", "@tijolo/central", "central/src/app"],
  },
  ...[
    "diagnosis",
    "disk",
    "images",
    "install-cache",
    "languages",
    "ledger",
    "logs",
    "mesh",
    "network",
    "runtime",
    "versions",
  ].map((name) => ({
    folder: `agent/src/${name}`,
    forbidden: ["link", "reconcile", "ingress", "project", "reports", "answers"].map(
      (room) => `agent/src/${room}`,
    ),
  })),
  {
    folder: "agent/src/host",
    forbidden: ["agent/src/reconcile", "agent/src/runtime/nspawn", "agent/src/logs"],
  },
  { folder: "central/panel/src", forbidden: ["node:path", "@tijolo/protocol", "@tijolo/central"] },
  ...["pages", "parts", "design", "api", "live", "texts", "formats"].map((room) => ({
    folder: `central/panel/src/${room}`,
    forbidden: ["@base-ui/react/dialog"],
  })),
  ...["pages", "parts"].map((room) => ({
    folder: `central/panel/src/${room}`,
    forbidden: ["central/panel/src/api/client"],
  })),
  { folder: "central/panel/src/parts", forbidden: ["central/panel/src/pages"] },
  ...["ui", "design"].map((room) => ({
    folder: `central/panel/src/${room}`,
    forbidden: ["pages", "parts", "api", "live", "texts"].map((other) => `central/panel/src/${other}`),
  })),
  { folder: "central/panel/src/design", forbidden: ["central/panel/src/ui"] },
  ...["api", "live"].map((room) => ({
    folder: `central/panel/src/${room}`,
    forbidden: ["pages", "parts", "ui"].map((other) => `central/panel/src/${other}`),
  })),
];

test("each import rule is seen to fire in each folder it holds for", async () => {
  const violations = (await Promise.all(rules.map(violationsOf))).flat();
  const silent = await lint(violations);
  assert.deepEqual(
    violations
      .filter(({ file }) => silent.has(file))
      .map(({ file, source }) => `${dirname(file)}: ${source}`),
    [],
    "no rule was seen to fire there",
  );
});

test("a socket that has left its server is ended by endSocket alone", async () => {
  const endings = ["socket.end()", "request.socket.end()", "const { end } = socket", "socket.destroySoon()"];
  const folders = [
    "central/src",
    "central/src/api",
    "central/src/pages-server",
    "central/src/link",
    "agent/src/ingress",
    "agent/src/network",
  ];
  const violations = folders.flatMap((folder) =>
    endings.map((ending, index) => ({
      file: `${folder}/ending-${index}.ts`,
      source: `export const x = (socket, request) => { ${ending}; };\n`,
    })),
  );
  const allowed = {
    file: "protocol/kit/streams/end-socket.ts",
    source: "export const x = (socket) => socket.end();\n",
  };
  const silent = await lint([...violations, allowed], "no-restricted-properties");
  assert.deepEqual([...silent], [allowed.file]);
});

test("a server of central is opened by `listen` of http-server.ts alone, which takes only one with a cap of connections", async () => {
  const openings = [
    "server.listen(1)",
    "link.server.listen(1)",
    "const { listen } = server",
    "createServer().listen(1)",
  ];
  const folders = [
    "central/src",
    "central/src/api",
    "central/src/app",
    "central/src/pages-server",
    "central/src/link",
  ];
  const violations = folders.flatMap((folder) =>
    openings.map((opening, index) => ({
      file: `${folder}/opening-${index}.ts`,
      source: `export const x = (server, link, createServer) => { ${opening}; };\n`,
    })),
  );
  const allowed = {
    file: "central/src/http-server.ts",
    source: "export const x = (server) => server.listen(1);\n",
  };
  const silent = await lint([...violations, allowed], "no-restricted-properties");
  assert.deepEqual([...silent], [allowed.file]);
});

test("no page of the panel imports a page, or what is another area's", async () => {
  const imports = [
    ["pages/account/x.ts", "./keys-page.tsx"],
    ["pages/account/x.tsx", "../project/overview-page.tsx"],
    ["pages/account/y.tsx", "../project/overview/usage.tsx"],
    ["pages/project/overview/x.tsx", "../logs-page.tsx"],
    ["pages/project/overview/y.tsx", "../../account/usage.tsx"],
    ["parts/x.tsx", "../pages/account/keys-page.tsx"],
  ];
  const violations = imports.map(([file, specifier]) => ({
    file: `central/panel/src/${file}`,
    source: `export { x } from "${specifier}";\n`,
  }));
  assert.deepEqual([...(await lint(violations))], []);
});

test("the panel asks the network in api/, live/ and its upload only", async () => {
  const asking = ["fetch(1)", "new XMLHttpRequest()", "new EventSource(1)", "new WebSocket(1)"];
  const files = (folder: string) =>
    asking.map((call, index) => ({
      file: `central/panel/src/${folder}/asking-${index}.ts`,
      source: `export const x = () => ${call};\n`,
    }));
  const allowed = ["api", "live", "parts/upload"].flatMap(files);
  const refused = ["pages/account", "parts", "parts/frame", "ui/fields"].flatMap(files);
  const silent = await lint([...allowed, ...refused], "no-restricted-globals");
  assert.deepEqual([...silent].toSorted(), allowed.map(({ file }) => file).toSorted());
});

test("the panel's colours stand in design/tokens.css alone", async () => {
  const directory = join(root, "central/panel/src");
  const entries = await readdir(directory, { recursive: true });
  const colour =
    /#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch)a?\(|:\s*(?:white|black|red|gr[ae]y|green|blue)\b/i;
  const found: string[] = [];
  for (const file of entries.filter((name) => name.endsWith(".css") && name !== "design/tokens.css")) {
    const text = (await readFile(join(directory, file), "utf8")).replaceAll(/\/\*[^]*?\*\//g, "");
    for (const line of text.split("\n")) if (colour.test(line)) found.push(`${file}: ${line.trim()}`);
  }
  assert.deepEqual(found, []);
});

test("what the layers allow is not refused", async () => {
  const allowed = [
    { file: "agent/src/host/exec.ts", source: 'export { spawn } from "node:child_process";\n' },
    { file: "central/src/dns-hook/run-dns-hook.ts", source: 'export { spawn } from "node:child_process";\n' },
    { file: "agent/src/runtime/nspawn/legal.ts", source: 'export { exec } from "../../host/exec.ts";\n' },
    {
      file: "central/src/app/projects/legal.ts",
      source: 'export { findProject } from "../../store/tables/project.ts";\n',
    },
    {
      file: "central/src/app/hosts/legal.ts",
      source: 'export { createLinkBackend } from "./link-backend.ts";\n',
    },
    { file: "central/src/store/metrics/legal.ts", source: 'export { saved } from "../project.ts";\n' },
    { file: "central/src/api/legal.ts", source: 'export { findCaller } from "../app/identity/caller.ts";\n' },
    {
      file: "central/panel/src/pages/project/legal.tsx",
      source:
        'export { ApiError } from "@tijolo/protocol/client";\nexport { useRead } from "../../api/use-read.ts";\n',
    },
    {
      file: "central/panel/src/pages/project/overview/legal.tsx",
      source:
        'export { Usage } from "../usage.tsx";\nexport { Button } from "../../../ui/actions/button.tsx";\n',
    },
    {
      file: "central/panel/src/ui/overlays/legal.tsx",
      source: 'export { Menu } from "@base-ui/react/menu";\n',
    },
    { file: "central/panel/src/live/legal.ts", source: 'export { api } from "../api/client.ts";\n' },
  ];
  const silent = await lint(allowed);
  assert.deepEqual(
    allowed.filter(({ file }) => !silent.has(file)),
    [],
  );
});

interface SourceFile {
  file: string;
  source: string;
}

/** Returns the violations in each folder of the repository from `folder` down. */
async function violationsOf({ folder, forbidden }: (typeof rules)[number]): Promise<SourceFile[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true, recursive: true });
  const below = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
  return [folder, ...below].flatMap((directory) =>
    forbidden.map((target, index) => ({
      file: `${directory}/${folder.replaceAll("/", "-")}-${index}.ts`,
      source: `export { x } from ${JSON.stringify(specifier(directory, target))};\n`,
    })),
  );
}

/** Returns a folder of ours as a file in `directory` imports it; a package as it is. */
function specifier(directory: string, target: string): string {
  return /^(agent|central|protocol)\//.test(target) ? `${relative(directory, target)}/x.ts` : target;
}

/** Returns those of `files` that `rule` does not refuse. */
async function lint(files: SourceFile[], rule = "no-restricted-imports"): Promise<Set<string>> {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-layers-"));
  try {
    const config = JSON.parse(await readFile(join(root, ".oxlintrc.json"), "utf8")) as Record<
      string,
      unknown
    >;
    await writeFile(
      join(directory, ".oxlintrc.json"),
      JSON.stringify({ ...config, $schema: undefined, options: {} }),
    );
    for (const { file, source } of files) {
      await mkdir(dirname(join(directory, file)), { recursive: true });
      await writeFile(join(directory, file), source);
    }
    const { stdout } = spawnSync(join(root, "node_modules/.bin/oxlint"), ["--format", "unix"], {
      cwd: directory,
      encoding: "utf8",
    });
    const refused = stdout.split("\n").filter((line) => line.includes(rule));
    return new Set(
      files.map(({ file }) => file).filter((file) => !refused.some((line) => line.includes(`${file}:`))),
    );
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
