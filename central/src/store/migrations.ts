/**
 * Forward-only migrations: the position in the list is the number. A migration that was released is never
 * changed.
 */

import { activity } from "./migrations/activity.ts";
import { bootId } from "./migrations/boot-id.ts";
import { departures } from "./migrations/departures.ts";
import { exitTime } from "./migrations/exit-time.ts";
import { hostMemory } from "./migrations/host-memory.ts";
import { imageOverride } from "./migrations/image-override.ts";
import { quota } from "./migrations/quota.ts";
import { keyLevel } from "./migrations/key-level.ts";
import { operators } from "./migrations/operators.ts";
import { people } from "./migrations/people.ts";
import { requestLimits } from "./migrations/request-limits.ts";
import { reservedMemory } from "./migrations/reserved-memory.ts";
import { restoredHosts } from "./migrations/restored-hosts.ts";
import { revokedKeys } from "./migrations/revoked-keys.ts";
import { servedSubdomain } from "./migrations/served-subdomain.ts";
import { start } from "./migrations/start.ts";
import { variables } from "./migrations/variables.ts";
import { versions } from "./migrations/versions.ts";
import { wantedRevisions } from "./migrations/wanted-revisions.ts";

export const migrations: readonly (readonly string[])[] = [
  start,
  activity,
  quota,
  variables,
  people,
  requestLimits,
  exitTime,
  servedSubdomain,
  reservedMemory,
  imageOverride,
  revokedKeys,
  bootId,
  keyLevel,
  hostMemory,
  departures,
  restoredHosts,
  wantedRevisions,
  operators,
  versions,
];
