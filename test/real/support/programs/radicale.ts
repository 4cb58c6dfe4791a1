/**
 * Provides Radicale from Debian: a calendar server, a WSGI application, served by Debian's gunicorn. Its
 * libraries are in the upload.
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { debianPackages, debianVersion, filesOf } from "./fetched-packages.ts";
import type { OpenSourceProgram } from "./open-source-program.ts";

const modules = [
  "radicale",
  "gunicorn",
  "vobject",
  "dateutil",
  "tz",
  "passlib",
  "legacycrypt",
  "defusedxml",
  "packaging",
  "requests",
  "pika",
  "six",
];
const packages = () =>
  debianPackages(
    "radicale",
    modules.map((name) => `python3-${name}`),
  );

const settings = `[auth]
type = htpasswd
htpasswd_filename = /app/users
htpasswd_encryption = plain
[storage]
filesystem_folder = /app/collections
`;

const headers = { authorization: `Basic ${Buffer.from("ana:segredo").toString("base64")}` };
const calendar = "/ana/trabalho/";
const event = [
  "BEGIN:VCALENDAR",
  "VERSION:2.0",
  "PRODID:-//test//",
  "BEGIN:VEVENT",
  "UID:aula-1",
  "DTSTAMP:20260105T090000Z",
]
  .concat([
    "DTSTART:20260112T140000Z",
    "DTEND:20260112T150000Z",
    "SUMMARY:Aula de violão",
    "END:VEVENT",
    "END:VCALENDAR",
    "",
  ])
  .join("\r\n");
const inJanuary = `<?xml version="1.0"?><C:calendar-query xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:prop><C:calendar-data/></D:prop>
  <C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT"><C:time-range start="20260101T000000Z" end="20260201T000000Z"/>
  </C:comp-filter></C:comp-filter></C:filter></C:calendar-query>`;

export const radicale: OpenSourceProgram = {
  name: "radicale",
  kind: "WSGI (Debian)",
  took: "its modules in lib/, PYTHONPATH and RADICALE_CONFIG as variables",
  version: async () => debianVersion(await packages(), "python3-radicale"),
  subdomain: "agenda",
  upload: async () => ({
    files: {
      ...(await filesOf(join(await packages(), "usr/lib/python3/dist-packages"), "lib")),
      config: settings,
      users: "ana:segredo\n",
    },
    config: {
      language: "python",
      version: "3.13",
      type: "site",
      subdomain: "agenda",
      memoryMb: 512,
      port: 5232,
      command: "exec python -m gunicorn --bind 0.0.0.0:$PORT --workers 2 radicale:application",
    },
  }),
  variables: { PYTHONPATH: "/app/lib", RADICALE_CONFIG: "/app/config" },
  ready: { path: "/.web/", status: 200 },

  async use({ ask }) {
    assert.equal((await ask("/ana/", { method: "PROPFIND" })).status, 401, "without a password");
    assert.equal((await ask(calendar, { method: "MKCALENDAR", headers })).status, 201);
    const put = await ask(`${calendar}aula-1.ics`, {
      method: "PUT",
      headers: { ...headers, "content-type": "text/calendar" },
      body: event,
    });
    assert.equal(put.status, 201);
  },

  async check({ ask }) {
    assert.match(
      await (await ask(`${calendar}aula-1.ics`, { headers })).text(),
      /^SUMMARY:Aula de violão\r?$/m,
    );
    const found = await ask(calendar, {
      method: "REPORT",
      headers: { ...headers, depth: "1", "content-type": "text/xml" },
      body: inJanuary,
    });
    assert.equal(found.status, 207);
    assert.match(await found.text(), /UID:aula-1/);
  },
};
