/**
 * Measures what one change costs a host that has few projects, and one that has many: from the commit of a
 * project's settings to the update that is ready to be sent. In this process, without a connection.
 */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { systemClock } from "../../central/src/app/clock.ts";
import { defaultMailBounds } from "../../central/src/app/people/mail.ts";
import { createLinkBackend } from "../../central/src/app/host-projects/create-link-backend.ts";
import { parseConfig } from "../../central/src/config.ts";
import { createContext } from "../../central/src/create-context.ts";
import { wantedChanged } from "../../central/src/store/tables/hosts/host.ts";
import { transact } from "../../central/src/store/store.ts";
import { updateProject } from "../../central/src/store/tables/projects/project.ts";
import { desiredFeed } from "../../central/src/link/desired-feed.ts";
import { sampleSettings } from "../support/samples.ts";
import type { Bench, Figure } from "./bench.ts";
import { fillHost } from "./full-cluster.ts";
import { Sample } from "./sample.ts";

const sizes = [10, 2_000];
const changes = 200;
const warmUps = 20;
const aimRatio = 1.5;

export const hostWake: Bench = {
  name: "host-wake",
  async run({ resources, say }): Promise<Figure[]> {
    const rows = [];
    for (const projects of sizes) {
      say(`${changes} changes on a host with ${projects.toLocaleString("en-US")} projects`);
      const sample = await measure(resources, projects);
      rows.push({ name: `${projects.toLocaleString("en-US")} projects`, sample });
    }
    const [few, many] = rows.map(({ sample }) => sample.median);
    const aim = {
      of: "many beside few",
      value: (many ?? Number.NaN) / (few ?? Number.NaN),
      unit: "times",
      limit: aimRatio,
      isReachedBy: "at most",
    } as const;
    return [{ title: "processor time of central from a change to the host's update", unit: "ms", rows, aim }];
  },
};

async function measure(resources: AsyncDisposableStack, projects: number): Promise<Sample> {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-bench-"));
  resources.defer(() => rm(directory, { recursive: true, force: true }));
  const config = parseConfig({ TIJOLO_DATA_DIRECTORY: directory });
  const app = await createContext(config, resources, {
    clock: systemClock,
    random: (bytes) => crypto.getRandomValues(new Uint8Array(bytes)),
    logger: pino({ level: "silent" }),
    mailBounds: defaultMailBounds,
    acmeLookups: {},
    domainLookups: {},
    ownUrl: () => "",
  });
  const { hostId, projectIds } = await transact(app.db, (tx) => fillHost(tx, projects));
  const backend = createLinkBackend(app, { async led() {}, above: async () => 1 });
  const ended = new AbortController();
  const updates = desiredFeed({
    backend,
    hostId,
    sentSets: new Map(),
    from: { revision: 0, setHash: "" },
    known: (part) => part,
    drained: async () => {},
    signal: ended.signal,
  });
  const untilSent = async () => {
    for (;;) if ((await updates.next()).value?.setHash !== null) return;
  };
  await untilSent();
  const times: number[] = [];
  for (let index = -warmUps; index < changes; index++) {
    const id = projectIds[Math.floor(Math.random() * projects)] ?? "";
    const settings = sampleSettings({ memoryMb: 300 + index });
    const before = process.cpuUsage();
    const sent = untilSent();
    await transact(app.db, async (tx) => {
      await updateProject(tx, id, { settings }, Date.now());
      await wantedChanged(tx, hostId, [id]);
    });
    await sent;
    const { user, system } = process.cpuUsage(before);
    if (index >= 0) times.push((user + system) / 1_000);
  }
  ended.abort();
  return new Sample(times);
}
