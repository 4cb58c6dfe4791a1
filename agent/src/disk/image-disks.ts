/**
 * Keeps a disk for each project in an ext4 image of its own, `<data>/disks/<id>.img`, mounted at
 * `<data>/projects/<id>`; for hosts whose file system has no quotas.
 */

import { mkdir, readdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import { KeyedQueue, poll, Slots } from "@tijolo/protocol/kit";
import { exec } from "../host/exec.ts";
import { flushFileSystem } from "../host/files/flush.ts";
import { removeTree } from "../host/files/trees.ts";
import { findDiskDevice } from "./block-device.ts";
import { assertHostRoom, usageOfFileSystem } from "./disk-full.ts";
import {
  checkImage,
  growMountedImage,
  limitOfImage,
  makeImage,
  readImageMb,
  resizeImage,
} from "./disk-image.ts";
import {
  exists,
  freeLeftovers,
  putAway,
  removeLeftoversOf,
  removeOld,
  type ImagePlaces,
} from "./image-leftovers.ts";
import { loopDevices, mountImage } from "./loop-devices.ts";
import { mayResizeMounted } from "./may-resize-mounted.ts";
import { findMount, isReadOnly, readMounts, type MountEntry } from "./mount-table.ts";
import { copyIntoImage, hasFiles } from "./take-over.ts";
import { DiskDamagedError, type DiskRequest, type DiskUsed, type ProjectDisks } from "./project-disks.ts";

/** Longest wait for a run that has just ended and is still being removed. */
const busyDeadlineMs = 10_000;
/** Most disks that are made, mounted or resized at once: each occupies a core for some milliseconds. */
const opensAtOnce = 4;
/** Deadline of a project's turn; longer than each of the deadlines above. */
const turnTimeoutMs = 3_600_000;
const mountsEveryMs = 15_000;
/** Log message for the operator. */
const damagedText =
  "the disk of a project could not be opened: its image is damaged beyond what e2fsck mends, and the project is in error until that is seen to; put a good copy in its place, or remove it: then the project begins anew from its last upload, with an empty disk";

export interface ImageDisksOptions {
  dataDirectory: string;
  /** See `ProjectDisksOptions`. */
  release?: (projectId: string) => Promise<void>;
  restore?: (projectId: string) => Promise<void>;
  logger: Pick<Logger, "info" | "warn" | "error">;
}

export class ImageDisks implements ProjectDisks {
  readonly kind = "image";
  readonly #dataDirectory: string;
  readonly #projects: string;
  readonly #images: string;
  readonly #release: (projectId: string) => Promise<void>;
  readonly #restore: (projectId: string) => Promise<void>;
  readonly #logger: ImageDisksOptions["logger"];
  readonly #queue = new KeyedQueue();
  readonly #slots = new Slots(opensAtOnce);
  /** Limits of the disks that are open, by project. */
  readonly #limits = new Map<string, number>();
  /** Limits that could not be applied: this agent does not try them again. */
  readonly #refused = new Map<string, number>();
  /** Projects whose damaged disk was reported; reported once until the disk is well again. */
  readonly #damaged = new Set<string>();
  #mounts: { byPoint: Promise<Map<string, MountEntry>>; atMs: number } | null = null;

  private constructor(options: ImageDisksOptions) {
    const { dataDirectory, release = async () => {}, restore = async () => {}, logger } = options;
    this.#release = release;
    this.#restore = restore;
    this.#dataDirectory = dataDirectory;
    this.#projects = join(dataDirectory, "projects");
    this.#images = join(dataDirectory, "disks");
    this.#logger = logger;
  }

  static async create(options: ImageDisksOptions): Promise<ImageDisks> {
    const disks = new ImageDisks(options);
    await mkdir(disks.#images, { recursive: true, mode: 0o700 });
    await mkdir(disks.#projects, { recursive: true });
    await shareMounts(disks.#projects);
    return disks;
  }

  open(projectId: string, { limitMb, isUp }: DiskRequest): Promise<void> {
    return this.#inTurn(projectId, async () => {
      const { image, directory } = this.#place(projectId);
      if (!(await this.#isUsable(projectId, isUp))) {
        if (!(await exists(image)) && !(await this.#make(projectId, { limitMb, isUp }))) return;
        await this.#mount(projectId);
      }
      await mkdir(directory, { recursive: true });
      const resized = await this.#resize(projectId, limitMb, isUp);
      if (resized === "later")
        this.#logger.info({ projectId, limitMb }, "the disk gets its new limit at the project's next start");
    });
  }

  resize(projectId: string, limitMb: number): Promise<"resized" | "later" | "kept"> {
    return this.#queue.run(projectId, () => this.#resize(projectId, limitMb, true));
  }

  async usage(projectId: string): Promise<DiskUsed> {
    const limitMb = this.#limits.get(projectId);
    if (limitMb === undefined) throw new Error(`the disk of ${projectId} is not open`);
    const { directory } = this.#place(projectId);
    const used = await usageOfFileSystem(directory, limitMb);
    const mount = (await this.#recentMounts()).get(directory);
    return mount !== undefined && isReadOnly(mount) ? { ...used, isReadOnly: true } : used;
  }

  /** Returns the loop device, and the device under the images, from which layers of the image are read. */
  async devices(projectId: string): Promise<string[]> {
    const found = await Promise.all(
      [this.#place(projectId).directory, this.#dataDirectory].map(findDiskDevice),
    );
    return [...new Set(found.filter((device) => device !== undefined))];
  }

  flush(projectId: string): Promise<void> {
    return flushFileSystem(this.#place(projectId).directory);
  }

  /** Flushes everything by one call, which takes a tenth of the time of one call for each file. */
  flushTree(projectId: string): Promise<void> {
    return this.flush(projectId);
  }

  remove(projectId: string): Promise<void> {
    return this.#queue.run(projectId, async () => {
      const { image, directory } = this.#place(projectId);
      this.#limits.delete(projectId);
      this.#refused.delete(projectId);
      this.#damaged.delete(projectId);
      if ((await findMount(directory)) !== undefined && !(await this.#unmount(directory))) {
        this.#logger.warn(
          { projectId },
          "the disk of a removed project is still in use; its room is free when that ends",
        );
        await exec(["umount", "--lazy", directory]);
      }
      await rm(image, { force: true });
      await Promise.all([removeTree(directory), removeLeftoversOf(projectId, this.#leftoverPlaces())]);
    });
  }

  async recover(): Promise<void> {
    await freeLeftovers(this.#leftoverPlaces());
    const names = (await readdir(this.#images)).filter((name) => name.endsWith(".img"));
    await Promise.all(names.map((name) => this.#recoverOne(name.slice(0, -".img".length))));
  }

  /** Runs `work` after all work for the project, and with a bounded number of other projects at once. */
  #inTurn(projectId: string, work: () => Promise<void>): Promise<void> {
    return this.#queue.run(projectId, () => this.#slots.run(work, AbortSignal.timeout(turnTimeoutMs)));
  }

  /**
   * Leaves every disk mounted while projects keep running; unmounts the shared directory when no disk is
   * mounted below it.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    if ((await readMounts()).some(({ mountPoint }) => mountPoint.startsWith(`${this.#projects}/`))) return;
    await exec(["umount", this.#projects], { okCodes: [0, 32] });
  }

  async #recoverOne(projectId: string): Promise<void> {
    await this.#inTurn(projectId, async () => {
      if (!(await this.#isUsable(projectId, true))) await this.#mount(projectId);
    }).catch((error: unknown) => {
      if (error instanceof DiskDamagedError) return; // said already
      this.#logger.error({ err: error, projectId }, "the disk of a project could not be opened");
    });
  }

  /**
   * True when the disk is mounted and usable. A mount that the kernel made read-only after an error below it
   * counts as unusable once the project is down, so that it is mounted anew.
   */
  async #isUsable(projectId: string, isUp: boolean): Promise<boolean> {
    const { image, directory } = this.#place(projectId);
    const mount = await findMount(directory);
    if (mount === undefined) return false;
    if (isUp || !isReadOnly(mount)) {
      this.#limits.set(projectId, this.#limits.get(projectId) ?? limitOfImage(await readImageMb(image)));
      return true;
    }
    this.#logger.warn({ projectId }, "the disk of a project met an error; it is checked and mounted again");
    return !(await this.#unmount(directory));
  }

  /**
   * Makes the image. Returns false when the files stay in a directory without a limit, because a container
   * has them open.
   */
  async #make(projectId: string, { limitMb, isUp }: DiskRequest): Promise<boolean> {
    const { image, directory } = this.#place(projectId);
    await assertHostRoom(this.#dataDirectory);
    if (!(await hasFiles(directory))) {
      await makeImage(image, limitMb);
      return true;
    }
    if (isUp) {
      this.#logger.warn(
        { projectId },
        "files from before there were disks have no limit until the project's next start",
      );
      return false;
    }
    this.#logger.info({ projectId }, "files from before there were disks are moved into one");
    await copyIntoImage({ directory, image, limitMb, roomIn: this.#dataDirectory });
    return true;
  }

  async #mount(projectId: string): Promise<void> {
    const { image, directory } = this.#place(projectId);
    if (await hasFiles(directory)) await putAway(projectId, this.#leftoverPlaces());
    await mkdir(directory, { recursive: true });
    // A container may have it open though it is not mounted here: then it is in order, and a check would tear
    // it.
    if (!(await loopDevices()).has(image)) await this.#check(projectId, image);
    await mountImage(image, directory);
    await rmdir(join(directory, "lost+found")).catch(() => {}); // a later check makes it again when it needs it
    await removeOld(projectId, this.#projects);
    this.#mounts = null;
    this.#limits.set(projectId, limitOfImage(await readImageMb(image)));
    await this.#restore(projectId);
  }

  async #check(projectId: string, image: string): Promise<void> {
    try {
      await checkImage(image);
    } catch (error) {
      if (error instanceof DiskDamagedError && !this.#damaged.has(projectId)) {
        this.#damaged.add(projectId);
        this.#logger.error({ err: error, projectId, image }, damagedText);
      }
      throw error;
    }
    this.#damaged.delete(projectId);
  }

  async #resize(projectId: string, limitMb: number, isUp: boolean): Promise<"resized" | "later" | "kept"> {
    const { image, directory } = this.#place(projectId);
    const nowMb = this.#limits.get(projectId);
    if (nowMb === undefined || nowMb === limitMb) return "resized";
    const mount = await findMount(directory);
    if (mount === undefined) throw new Error(`the disk of ${projectId} is not mounted`);
    if (limitMb > nowMb) await assertHostRoom(this.#dataDirectory);
    if (limitMb > nowMb && (await mayResizeMounted())) {
      await growMountedImage(image, mount.source, limitMb);
      this.#limits.set(projectId, limitOfImage(await readImageMb(image)));
      return "resized";
    }
    const { usedMb } = await usageOfFileSystem(directory, nowMb);
    if (usedMb >= limitMb && usedMb >= nowMb * 0.9)
      return this.#tellKept(projectId, { limitMb, gotMb: nowMb });
    if (this.#refused.get(projectId) === limitMb) return "kept";
    if (isUp || !(await this.#unmount(directory))) return "later";
    try {
      const gotMb = await resizeImage(image, limitMb);
      return gotMb <= limitMb ? "resized" : this.#tellKept(projectId, { limitMb, gotMb });
    } catch (error) {
      this.#refused.set(projectId, limitMb);
      this.#logger.warn(
        { err: error, projectId, limitMb, nowMb },
        "the disk of a project could not be resized; it stays as it is",
      );
      return "kept";
    } finally {
      await this.#mount(projectId);
    }
  }

  #tellKept(projectId: string, figures: { limitMb: number; gotMb: number }): "kept" {
    this.#logger.warn(
      { projectId, ...figures },
      "the disk holds more than its new limit; it stays as large as its files need",
    );
    return "kept";
  }

  /**
   * Returns true once no device holds the image any more, in any namespace; false when it is in use: then it
   * is mounted as before.
   */
  async #unmount(directory: string): Promise<boolean> {
    const projectId = directory.slice(this.#projects.length + 1);
    const { image } = this.#place(projectId);
    await this.#release(projectId);
    const options = { timeoutMs: busyDeadlineMs, everyMs: 5, maxEveryMs: 200 };
    const isUnmounted = async () => (await exec(["umount", directory], { okCodes: [0, 32] })).code === 0;
    if (!(await poll(isUnmounted, options))) {
      await this.#restore(projectId);
      return false;
    }
    const isFree = async () => !(await loopDevices()).has(image);
    if (await poll(isFree, options)) return true;
    await mountImage(image, directory);
    await this.#restore(projectId);
    return false;
  }

  /**
   * Returns the recent mounts by mount point, cached: every project is checked every few seconds, and the
   * table has a line for each. Of two mounts on one point, the visible one counts.
   */
  #recentMounts(): Promise<Map<string, MountEntry>> {
    const now = performance.now();
    if (this.#mounts === null || now - this.#mounts.atMs > mountsEveryMs) {
      this.#mounts = {
        byPoint: readMounts().then((mounts) => new Map(mounts.map((mount) => [mount.mountPoint, mount]))),
        atMs: now,
      };
    }
    return this.#mounts.byPoint;
  }

  #leftoverPlaces(): ImagePlaces {
    return { projects: this.#projects, images: this.#images, logger: this.#logger };
  }

  #place(projectId: string): { image: string; directory: string } {
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(projectId))
      throw new Error(`not a project id: ${JSON.stringify(projectId)}`);
    return { image: join(this.#images, `${projectId}.img`), directory: join(this.#projects, projectId) };
  }
}

/**
 * Makes the directory a mount point of its own, so that a container's namespace can unmount all disks at
 * once, and a shared one, so that others follow.
 */
async function shareMounts(directory: string): Promise<void> {
  if ((await findMount(directory)) === undefined) await exec(["mount", "--bind", directory, directory]);
  await exec(["mount", "--make-shared", directory]);
}
