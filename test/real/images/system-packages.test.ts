/**
 * Each system package of the specification does its work in a container; a set that cannot be had is told of,
 * with the reason.
 */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, mkdir, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { systemPackages, type SystemPackage } from "@tijolo/protocol";
import { SystemPackagesError } from "../../../agent/src/images/image.ts";
import {
  createImageStore,
  type ImageStore,
  type ImageStoreOptions,
} from "../../../agent/src/images/image-store.ts";
import { ContainerHost } from "../support/host/container-host.ts";
import { keptImagesDirectory } from "../support/images/kept-images.ts";
import { ownerText } from "../../support/projects/owner-text.ts";

const silent = { info() {}, warn() {} };
/** Two sets, so that neither comes near the time that a set may take on a slow machine. */
const documents: readonly SystemPackage[] = [
  "fonts-dejavu-core",
  "fonts-liberation",
  "fonts-noto-cjk",
  "fonts-noto-color-emoji",
  "ghostscript",
  "graphviz",
  "imagemagick",
  "libvips-tools",
  "poppler-utils",
  "tesseract-ocr",
  "tesseract-ocr-por",
];
const tools: readonly SystemPackage[] = [
  "build-essential",
  "curl",
  "git",
  "python3",
  "sqlite3",
  "unzip",
  "zip",
];

const dejavu = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf";
/** A PNG begins with these eight bytes. */
const isPng = (file: string) => `[ "$(head -c 8 ${file} | od -An -tx1 | tr -d ' ')" = 89504e470d0a1a0a ]`;

interface Work {
  what: string;
  of: readonly SystemPackage[];
  /** Ends with the first command that fails. */
  script: string;
  prints: RegExp;
}

const works: readonly Work[] = [
  {
    what: "imagemagick turns a picture into another format and size",
    of: ["imagemagick"],
    script: `convert -size 64x64 gradient:red-blue a.png; ${isPng("a.png")}; convert a.png -resize 50% a.jpg; identify a.jpg`,
    prints: /a\.jpg JPEG 32x32/,
  },
  {
    what: "tesseract reads Portuguese from a picture",
    of: ["tesseract-ocr", "tesseract-ocr-por", "imagemagick", "fonts-dejavu-core"],
    script: `convert -background white -fill black -font ${dejavu} -pointsize 48 -bordercolor white -border 40 label:'A instalação não terminou' a.png
      tesseract a.png - -l por 2>/dev/null`,
    prints: /A instalação não terminou/,
  },
  {
    what: "graphviz draws a graph",
    of: ["graphviz"],
    script: `echo 'digraph { casa -> tijolo }' | dot -Tpng -o a.png; ${isPng("a.png")}; echo 'digraph { casa -> tijolo }' | dot -Tsvg`,
    prints: /<svg[^]*tijolo/,
  },
  {
    what: "ghostscript writes a PDF, and poppler makes its page a PNG and its text text",
    of: ["ghostscript", "poppler-utils"],
    script: `gs -q -sDEVICE=pdfwrite -o a.pdf -c '/Helvetica 24 selectfont 72 700 moveto (um documento) show showpage'
      pdftoppm -png -r 50 a.pdf page; ${isPng("page-1.png")}; pdftotext a.pdf -`,
    prints: /um documento/,
  },
  {
    what: "vips makes a thumbnail",
    of: ["libvips-tools"],
    script: `vips black a.png 200 100; vipsthumbnail a.png -s 50 -o b.png; vipsheader -f width b.png`,
    prints: /^50$/m,
  },
  {
    what: "the fonts are found by their names",
    of: ["fonts-dejavu-core", "fonts-liberation", "fonts-noto-cjk", "fonts-noto-color-emoji"],
    script: "fc-list : family | sort -u",
    prints: /DejaVu Sans[^]*Liberation Sans[^]*Noto Color Emoji[^]*Noto Sans CJK/,
  },
  {
    what: "a program in C and one in C++ are compiled and run",
    of: ["build-essential"],
    script: `echo 'int puts(const char *); int main(void) { puts("from C"); return 0; }' > a.c; gcc a.c -o a; ./a
      printf '#include <iostream>\\nint main() { std::cout << "from C++" << std::endl; }' > b.cc; make b CXX=g++; ./b`,
    prints: /from C[^]*from C\+\+/,
  },
  {
    what: "curl visits a server over TLS that it has reason to trust, and no other",
    of: ["curl"],
    script: `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout key.pem -out cert.pem 2>/dev/null
      node -e 'const fs = require("fs"); require("https").createServer({ key: fs.readFileSync("key.pem"), cert: fs.readFileSync("cert.pem") },
        (_, answer) => answer.end("visited\\n")).listen(8443, () => fs.writeFileSync("listens", ""))' & 
      until [ -e listens ]; do sleep 0.05; done
      curl -sS --cacert cert.pem https://localhost:8443/; if curl -sS https://localhost:8443/; then exit 9; fi; kill $!`,
    prints: /^visited$/m,
  },
  {
    what: "git makes a repository and clones it",
    of: ["git"],
    script: `git init -q a; cd a; echo text > file; git add file; git -c user.name=x -c user.email=x@example.org commit -q -m first
      cd ..; git clone -q a b; cat b/file; git -C b log --format=%s`,
    prints: /text\nfirst/,
  },
  {
    what: "python3 runs",
    of: ["python3"],
    script: `python3 -c 'import json, ssl; print(json.dumps([6 * 7]))'`,
    prints: /\[42\]/,
  },
  {
    what: "sqlite3 answers a query",
    of: ["sqlite3"],
    script: `sqlite3 a.db "create table t (n); insert into t values (20), (22); select sum(n) from t"`,
    prints: /^42$/m,
  },
  {
    what: "zip and unzip agree",
    of: ["zip", "unzip"],
    script: "mkdir a; echo inside > a/b; zip -qr a.zip a; rm -r a; unzip -q a.zip; cat a/b",
    prints: /^inside$/m,
  },
];

describe("system packages", { timeout: 3_600_000 }, () => {
  let host: ContainerHost;
  let store: ImageStore;
  const layers = new Map<readonly SystemPackage[], string[]>();

  before(async () => {
    host = await ContainerHost.create();
    store = await createImageStore({ imagesDirectory: keptImagesDirectory, logger: silent });
    for (const set of [documents, tools]) {
      layers.set(set, (await store.ensure({ language: "node", version: "24", systemPackages: set })).layers);
    }
  });
  after(async () => {
    await store.close();
    await host[Symbol.asyncDispose]();
  });

  test("each package of the list has its work here", () => {
    assert.deepEqual([...new Set(works.flatMap(({ of }) => of))].sort(), [...systemPackages].sort());
  });

  for (const [index, { what, of, script, prints }] of works.entries()) {
    test(what, async () => {
      const set = of.every((name) => documents.includes(name)) ? documents : tools;
      const ended = await host.run(`set -eu; mkdir /app/work; cd /app/work; ${script}`, {
        projectId: `prj_work${index}`,
        imageLayers: layers.get(set) ?? [],
        environment: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: "/tmp", LANG: "C.UTF-8" },
        limits: { memoryMb: 1024, cpuPercent: null, cpuWeight: 100, pids: 256 },
      });
      assert.equal(ended.code, 0, [...ended.stderr, ...ended.stdout].join("\n"));
      assert.match(ended.stdout.join("\n"), prints);
    });
  }

  describe("that cannot be had", () => {
    let directory: string;
    before(async () => {
      directory = await mkdtemp(join(tmpdir(), "tijolo-packages-"));
    });
    after(() => rm(directory, { recursive: true, force: true }));

    /** Opens a store that has the image without packages already. */
    async function storeWithImage(name: string, options: Partial<ImageStoreOptions>): Promise<ImageStore> {
      const imagesDirectory = join(directory, name);
      await mkdir(imagesDirectory);
      const { layers: roots } = await store.ensure({ language: "node", version: "24", systemPackages: [] });
      for (const layer of roots.map((root) => join(root, "..")))
        await symlink(layer, join(imagesDirectory, basename(layer)));
      return createImageStore({ imagesDirectory, logger: silent, ...options });
    }

    /** Returns what the owner is told; nothing of the attempt is left. */
    async function refusal(
      name: string,
      options: Partial<ImageStoreOptions>,
      packages: readonly string[],
    ): Promise<string> {
      const failing = await storeWithImage(name, options);
      const before = await readdir(join(directory, name));
      const image = { language: "node", version: "24", systemPackages: packages as SystemPackage[] } as const;
      const error = await failing.ensure(image).then(
        () => assert.fail("the packages were had"),
        (reason: unknown) => reason,
      );
      assert.ok(error instanceof SystemPackagesError, String(error));
      assert.deepEqual(await readdir(join(directory, name)), before);
      return ownerText(error.forOwner);
    }

    test("a mirror that cannot be reached is said", async () => {
      const text = await refusal("unreachable", { debianMirror: "http://127.0.0.1:9/" }, ["zip", "git"]);
      assert.match(text, /pacotes de sistema git e zip: .*127\.0\.0\.1.*envie o código de novo/s);
    });

    test("a package that the archive does not have is said", async () => {
      assert.match(
        await refusal("unknown", {}, ["no-such-package"]),
        /Unable to locate package no-such-package/,
      );
    });

    test("an image that is not made of Debian packages is said, and nothing is run in it", async () => {
      const foreign = join(directory, "foreign-image");
      await mkdir(join(foreign, "bin"), { recursive: true });
      const pulled = { digest: "sha256:test", layers: [foreign], environment: {} };
      const findRecipe: ImageStoreOptions["findRecipe"] = (language, version) => ({
        language,
        version,
        sources: [{ kind: "oci", why: "a test", reference: "registry.example/image:1", packages: [] }],
      });
      assert.match(
        await refusal("foreign", { findRecipe, pullImage: async () => pulled }, ["zip"]),
        /zip: this image has no apt/,
      );
      assert.deepEqual([existsSync(join(foreign, "dev")), await readdir(foreign)], [false, ["bin"]]);
    });
  });
});
