/**
 * Chooses how projects get their disks: by quotas where the data directory's file system has them, otherwise
 * by an image for each.
 */

import { mkdir, realpath } from "node:fs/promises";
import type { MachineNews } from "@tijolo/protocol";
import type { Logger } from "pino";
import { ImageDisks } from "./image-disks.ts";
import { mountOf, type MountEntry } from "./mount-table.ts";
import type { ProjectDisks } from "./project-disks.ts";
import { QuotaDisks } from "./quota-disks.ts";

export interface ProjectDisksOptions {
  /** Path as the kernel reports it, without symbolic links. */
  dataDirectory: string;
  /** Returns a number that identifies the project and that no other project on this machine has. */
  quotaIdOf: (projectId: string) => number;
  /** Has whoever holds files of the project let go of them, before its disk is unmounted. */
  release?: (projectId: string) => Promise<void>;
  /** Called when the disk is mounted again. */
  restore?: (projectId: string) => Promise<void>;
  logger: Pick<Logger, "info" | "warn" | "error">;
}

export async function openProjectDisks({
  dataDirectory: path,
  quotaIdOf,
  release = async () => {},
  restore = async () => {},
  logger,
}: ProjectDisksOptions): Promise<ProjectDisks> {
  await mkdir(path, { recursive: true });
  const dataDirectory = await realpath(path);
  const kind = diskKindOn(await mountOf(dataDirectory));
  const news: MachineNews = { code: "disks_limited" };
  logger.info({ news, kind }, "projects' disks are limited by the kernel");
  return kind === "image"
    ? ImageDisks.create({ dataDirectory, release, restore, logger })
    : new QuotaDisks({ kind, dataDirectory, quotaIdOf, logger });
}

/** Returns the kind of disks. XFS also writes `pquota`; with `pqnoenforce` it only counts. */
export function diskKindOn(mount: MountEntry | undefined): "ext4-quota" | "xfs-quota" | "image" {
  const hasQuota = mount?.options.some((option) => option === "prjquota" || option === "pquota") === true;
  if (!hasQuota) return "image";
  return mount.fileSystem === "ext4" ? "ext4-quota" : mount.fileSystem === "xfs" ? "xfs-quota" : "image";
}
