/**
 * Builds nginx's configuration: constant text and numbers. No site is in it: a header names the project, and
 * the link `sites/<project>` its files, which lie in a directory of this form (see `site-tree.ts`):
 *
 *     trees/<project>.<serial>.<marks>/files        the files of the site
 *     trees/<project>.<serial>.<marks>/compressed   br/<path> and gzip/<path>, the same files compressed ahead
 */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { failureHeader, missingHeader, siteHeader } from "@tijolo/protocol";
import { compressibleEndings, immutablePaths } from "../sites/served-names.ts";

export interface NginxPlace {
  /** Address at which it listens. */
  address: string;
  port: number;
  workers: number;
}

const connections = 8_192;
/** Bytes of one line of a request's head; a gateway lets heads of 24 KB pass. */
const lineBytes = 32 * 1024;

/** Paths are relative to the directory in which nginx is started, which becomes its root. */
export async function nginxConfiguration({ address, port, workers }: NginxPlace): Promise<string> {
  const types = await readFile(join(import.meta.dirname, "content-types.conf"), "utf8");
  return `daemon off;
worker_processes ${workers};
pid nginx.pid;
error_log stderr alert;
pcre_jit on;
events { worker_connections ${connections}; }
http {
  access_log off;
  server_tokens off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000;
  keepalive_timeout 75s;
  large_client_header_buffers 4 ${lineBytes};
  reset_timedout_connection on;
  absolute_redirect off;
  if_modified_since before;
  max_ranges 1;
  client_body_temp_path none;
  proxy_temp_path none;
  fastcgi_temp_path none;
  uwsgi_temp_path none;
  scgi_temp_path none;
  types_hash_max_size 8192;
  types_hash_bucket_size 256;
  variables_hash_max_size 2048;
  map_hash_bucket_size 256;
  default_type application/octet-stream;
  types {
${types}  }
${maps}
  server {
    listen ${address}:${port} backlog=4096;
    root /sites/$project;
    error_page 403 404 =404 /.tijolo/404;
    add_header Allow $allowed always;
    add_header Cache-Control $caching;
    add_header Content-Encoding $encoding;
    add_header Vary $varying;
    if ($project = "") { return 404; }
    # The files of one version answer a request, whenever the link is renamed. It is "" where there is no link.
    set $tree $real_root;
    if ($tree = "") { return 503; }
    if ($allowed) { return 405 "GET, HEAD\\n"; }

    location / {
      root $tree;
      try_files $first$uri $second$uri /files$uri @page;
    }
    # Hidden names are not there, but for .well-known at the top; nor is a name with a backslash.
    location ~ "^/\\.(?!well-known(?:/|$))|./\\.|\\x5C" { return 404; }
    location ~ /$ {
      root $tree;
      try_files $first\${uri}index.html $second\${uri}index.html /files\${uri}index.html @missing;
    }
    location = /svc.json {
      root $tree;
      try_files $settings =404;
    }
    location @page {
      root $tree;
      if (-f $tree/files$uri/index.html) { return 308 $with_slash; }
      if (-d $tree/files$uri$unless_app) { return 308 $with_slash; }
      try_files $first$uri.html $second$uri.html /files$uri.html @missing;
    }
    location @missing {
      root $tree;
      try_files $app_br/index.html $app_gzip/index.html $app_files/index.html =404;
    }
    location = /.tijolo/404 {
      internal;
      root $tree;
      add_header Cache-Control no-cache always;
      try_files /files/404.html @none;
    }
    location @none {
      add_header Cache-Control no-cache always;
      add_header ${failureHeader} file_not_found always;
      if ($http_${missingHeader.replaceAll("-", "_")}) { return 503; }
      return 404;
    }
  }
}
`;
}

/** A directory that no site has, for what is not to be found. */
const nowhere = "/nowhere";
/** Matches what `try_files` puts before the path of a file. */
const ofSite = "/(?:files|compressed/(?:br|gzip))/";

/** Returns the lines of a map of Accept-Encoding for an encoding; `q=0` refuses it. */
function acceptances(encoding: string): string {
  return [encoding, "\\*"]
    .flatMap((name) => [
      `    "~*(?:^|,)\\s*${name}\\s*;\\s*q=0(?:\\.0*)?\\s*(?:,|$)" ${nowhere};\n`,
      `    "~*(?:^|,)\\s*${name}\\s*(?:;|,|$)" /compressed/${encoding};\n`,
    ])
    .join("");
}

const maps = `
  map $http_${siteHeader.replaceAll("-", "_")} $project {
    default "";
    "~^(?<asked_project>[0-9A-HJKMNP-TV-Z]{26})$" $asked_project;
  }
  # Asks for the real path once: \`set\` alone asks twice, for the length and then for the text.
  map "" $real_root { default $realpath_root; }
  map $request_method $allowed {
    default "GET, HEAD";
    GET "";
    HEAD "";
  }
  map $http_accept_encoding $takes_br {
    default ${nowhere};
${acceptances("br")}  }
  map $http_accept_encoding $takes_gzip {
    default ${nowhere};
${acceptances("gzip")}  }
  # A range is one of the file's own bytes.
  map $http_range $br { default ${nowhere}; "" $takes_br; }
  map $http_range $gzip { default ${nowhere}; "" $takes_gzip; }
  # Where a name is looked for first and second. The files themselves are always the last, so nothing that the
  # visitor does not take is looked for.
  map $br $first { default $br; ${nowhere} $without_br; }
  map $gzip $without_br { default $gzip; ${nowhere} /files; }
  map $br $second { default $without_br; ${nowhere} /files; }
  map "$status $uri" $encoding {
    default "";
    "~^200 /compressed/br/" br;
    "~^200 /compressed/gzip/" gzip;
  }
  map $uri $varying {
    default "";
    "~*^${ofSite}.*(?:${compressibleEndings.map((ending) => `\\${ending}`).join("|")})$" accept-encoding;
  }
  map $uri $caching {
    default "";
    "~*^${ofSite}.*\\.html?$" no-cache;
${immutablePaths.map((path) => `    "~^${ofSite}${path}" "public, max-age=31536000, immutable";\n`).join("")}    "~^${ofSite}" no-cache;
  }
  map $request_uri $with_slash {
    default /;
    "~^/*(?<asked_path>/[^?]*)(?<asked_query>\\?.*)?$" $asked_path/$asked_query;
  }
  # The whole project is served: its settings are not for visitors.
  map $tree $settings { default /files/svc.json; "~\\.s?w$" ${nowhere}; }
  # An app of one page answers its own addresses. A missing script or picture stays missing.
  map $http_accept $asks_for_page { default ""; "~text/html" page; }
  map $request_uri $names_file { default ""; "~^[^?]*\\.[^./?]+(?:\\?|$)" file; }
  map $tree $is_app { default ""; "~\\.sw?$" app; }
  map "$is_app $asks_for_page $names_file" $is_address { default ""; "~^app page" 1; "app  " 1; }
  map $is_address $unless_app { default ""; 1 ${nowhere}; }
  map $is_address $app_br { default ${nowhere}; 1 $br; }
  map $is_address $app_gzip { default ${nowhere}; 1 $gzip; }
  map $is_address $app_files { default ${nowhere}; 1 /files; }
`;
