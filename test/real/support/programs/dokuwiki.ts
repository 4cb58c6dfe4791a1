/** DokuWiki from Debian: a wiki in PHP that keeps its pages as files, under the service's own PHP server. */

import assert from "node:assert/strict";
import { debianPackages, debianVersion, filesOf } from "./fetched-packages.ts";
import type { OpenSourceProgram } from "./open-source-program.ts";

const libraries = ["libjs-jquery", "libjs-jquery-cookie", "libjs-jquery-ui", "libphp-simplepie"].concat(
  ["constant-time", "geshi", "kissifrot-php-ixr", "phpseclib3", "random-compat"].map((name) => `php-${name}`),
);
const packages = () => debianPackages("dokuwiki", ["dokuwiki", ...libraries]);

/**
 * Debian's files name each other by where they would be on a machine of its own; folders that are empty and
 * links are in no zip.
 */
const installCommand = [
  `grep -rlE "'/(usr/share|etc|var/lib)/" --include=*.php etc usr/share | xargs sed -i -E "s#'/(usr/share|etc|var/lib)/#'/app/\\1/#g"`,
  "ln -s /app/var/lib/dokuwiki/lib/tpl /app/var/lib/dokuwiki/lib/plugins usr/share/dokuwiki/lib/",
  "cd var/lib/dokuwiki/data",
  "mkdir -p attic cache index locks log media media_attic media_meta meta pages tmp",
].join(" && ");

const pageText = "Modo de preparo: amasse, espere e asse.";

export const dokuwiki: OpenSourceProgram = {
  name: "dokuwiki",
  kind: "PHP site (Debian)",
  took: "entry in usr/share/dokuwiki; an install command for Debian's absolute paths and links",
  version: async () => debianVersion(await packages(), "dokuwiki"),
  subdomain: "dokuwiki",
  async upload() {
    const files = await filesOf(await packages());
    const needed = Object.entries(files).filter(
      ([path]) => !/^(packages$|usr\/share\/(doc|lintian|pkg-php-tools)\/)/.test(path),
    );
    return {
      files: {
        ...Object.fromEntries(needed),
        "etc/dokuwiki/local.php":
          "<?php\n$conf['title'] = 'Wiki da Ana';\n$conf['lang'] = 'pt-br';\n$conf['useacl'] = 0;\n",
      },
      config: {
        language: "php",
        version: "8.4",
        type: "site",
        subdomain: "dokuwiki",
        memoryMb: 512,
        entry: "usr/share/dokuwiki/index.php",
        installCommand,
      },
    };
  },
  ready: { path: "/doku.php", status: 200 },

  async use({ ask, project }) {
    const form = await ask("/doku.php?id=receita&do=edit");
    const cookie = form.headers
      .getSetCookie()
      .map((each) => each.split(";")[0])
      .join("; ");
    const html = await form.text();
    const hidden: [string, string][] = [
      ...html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g),
    ].map(([, name = "", value = ""]) => [name, value]);
    const body = new URLSearchParams([...hidden, ["wikitext", pageText], ["do[save]", "1"]]).toString();
    const headers = { "content-type": "application/x-www-form-urlencoded", cookie };
    const saved = await ask("/doku.php?id=receita", { method: "POST", headers, body });
    assert.ok(
      saved.status === 302 || saved.status === 303,
      `${saved.status}: ${(await saved.text()).slice(0, 2000)}`,
    );
    const { url } = await project.get();
    assert.ok(
      saved.headers.get("location")?.startsWith(`${url}doku.php?id=receita`),
      saved.headers.get("location") ?? "no location",
    );
    assert.match(
      await (await ask("/doku.php?id=receita&do=revisions")).text(),
      /<bdi>127\.0\.0\.1<\/bdi>/,
      "who wrote it",
    );
    assert.notEqual((await ask("/data/pages/receita.txt")).status, 200);
  },

  async check({ ask }) {
    const page = await (await ask("/doku.php?id=receita")).text();
    assert.ok(page.includes(pageText), page.slice(0, 2000));
    assert.match(page, /<title>[^<]*Wiki da Ana/);
    for (const [path, contained] of [
      ["/lib/exe/css.php?t=dokuwiki", "#dokuwiki__header"],
      ["/lib/exe/jquery.php", "jQuery"],
      ["/lib/tpl/dokuwiki/images/logo.png", "PNG"],
    ] as const) {
      const file = await ask(path);
      assert.ok(file.status === 200 && (await file.text()).includes(contained), `${path}: ${file.status}`);
    }
  },
};
