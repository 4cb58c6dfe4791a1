/** Provides Limnoria from Debian: an IRC bot in Python, which stores what it learns in its own database. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { until } from "../../../support/until.ts";
import { patient } from "../projects/stop-cleanly.ts";
import { debianPackages, debianVersion, filesOf } from "./fetched-packages.ts";
import { ircChannel, ircPort, type IrcServer } from "./irc-server.ts";
import type { OpenSourceProgram } from "./open-source-program.ts";

const nick = "tijolinho";
const packages = () => debianPackages("limnoria", ["limnoria"]);

/** Settings that its wizard would ask for and write; the others are its defaults. */
const settings = (address: string) => `supybot.nick: ${nick}
supybot.networks: casa
supybot.networks.casa.servers: ${address}:${ircPort}
supybot.networks.casa.channels: ${ircChannel}
supybot.networks.casa.ssl: False
supybot.reply.whenAddressedBy.chars: @
supybot.plugins.Factoids: True
supybot.log.stdout.level: INFO
`;

/** Describes the bot; `server` is where it has its channel. */
export function limnoria(server: IrcServer): OpenSourceProgram {
  let visits = 0;
  /** Each visit is by somebody else: a server remembers for a while who was cut off. */
  const visitor = () => server.join(`ana${++visits}`);
  const isThere = async () => {
    using person = await visitor();
    return await person.sees(nick);
  };
  return {
    name: "limnoria",
    kind: "IRC bot (Debian)",
    took: "its modules in lib/, PYTHONPATH as a variable; --allow-root",
    version: async () => debianVersion(await packages(), "limnoria"),
    upload: async () => ({
      files: {
        ...(await filesOf(join(await packages(), "usr/lib/python3/dist-packages"), "lib")),
        ...(await filesOf(join(await packages(), "usr/bin"), "bin")),
        "bot.conf": settings(server.address),
      },
      config: {
        language: "python",
        version: "3.13",
        type: "bot",
        memoryMb: 512,
        command: "python bin/limnoria --allow-root bot.conf",
      },
    }),
    variables: { PYTHONPATH: "/app/lib" },
    ready: isThere,

    async use({ project }) {
      using person = await visitor();
      assert.match(
        await person.asks(nick, "@learn receita is farinha, água e sal"),
        /The operation succeeded/,
      );
      assert.match(await person.asks(nick, "@whatis bolo"), /No factoid matches that key/);

      const { startedAt } = await project.get();
      await server.kill();
      await project.prints("Disconnect from", patient);
      await server.start();
      await until(isThere, { timeoutMs: patient, everyMs: 250 });
      assert.equal((await project.get()).startedAt, startedAt, "the bot went on by itself");
    },

    async check() {
      using person = await visitor();
      assert.match(await person.asks(nick, "@whatis receita"), /farinha, água e sal/);
    },
  };
}
