/**
 * Holds visits of sites whose run is being replaced or restarted, or does not listen yet, and lets them go on
 * when it does. The body of a held visit is not read.
 */

import type {
  HeldBounds,
  IngressOptions,
  IngressTarget,
  IngressTimes,
  ProcessTarget,
} from "./ingress-options.ts";
import { awaitsAnswer, fail, type Attempt, type StreamVisit, type VisitHolder } from "./stream-visit.ts";
import { streamWindowBytes } from "@tijolo/protocol";

const defaultBounds: HeldBounds = {
  visitsPerProject: 1_024,
  visits: 3_000,
  bytesPerProject: 32 * 1024 * 1024,
  bytes: 128 * 1024 * 1024,
};

/** Pauses between two looks at a site whose visits are held: short at first, because most swaps are short. */
const pausesMs = { first: 50, later: 150, laterAfter: 2_000 };
/**
 * Number of visits that go on together, and the pause after them: a server's queue of new connections is
 * short.
 */
const released = { atOnce: 64, everyMs: 10 };
/** Shortest time in milliseconds for an attempt to connect, also when the visit's time is nearly over. */
const shortestTryMs = 100;

interface HeldVisit {
  bytes: number;
  goOn: () => void;
}

interface HeldSite {
  visits: Set<HeldVisit>;
  bytes: number;
  since: number;
  /** Time of the last look at which the run before was still ending. */
  endingUntil: number;
  /** True once a visit has reached the program: the others follow without trying one by one. */
  isListening: boolean;
  timer: NodeJS.Timeout | undefined;
}

export class HeldVisits implements VisitHolder {
  readonly #findTarget: IngressOptions["findTarget"];
  readonly #times: IngressTimes;
  readonly #bounds: HeldBounds;
  readonly #sites = new Map<string, HeldSite>();
  #visits = 0;
  #bytes = 0;

  constructor(options: Pick<IngressOptions, "findTarget" | "heldBounds"> & { times: IngressTimes }) {
    this.#findTarget = options.findTarget;
    this.#times = options.times;
    this.#bounds = { ...defaultBounds, ...options.heldBounds };
  }

  /** Number of visits that are held now. */
  get count(): number {
    return this.#visits;
  }

  hold(visit: StreamVisit, attempt: Attempt): void {
    const { stream, projectId, guard } = visit;
    if (!awaitsAnswer(stream)) return;
    const target = this.#findTarget(projectId);
    if (target === undefined) return fail(stream, "not_here");
    const remainingMs = this.#remainingMs(target, attempt);
    if (remainingMs <= 0 && !isEnding(target)) return giveUp(visit, target);
    const bytes = uploadBytes(visit);
    if (!this.#hasRoom(projectId, bytes))
      return fail(stream, isAccusable(target) ? "overloaded" : "starting");
    const site = this.#site(projectId);
    site.isListening = false;
    const leave = guard(() => {
      clearTimeout(timer);
      stream.off("close", leave);
      this.#remove(projectId, site, held);
    });
    let heldAt = performance.now();
    /** Leaves out of the visit's time what the end of the run before has taken. */
    const forgive = () => {
      attempt.startedAt += Math.max(0, site.endingUntil - heldAt);
      heldAt = performance.now();
    };
    const endInTime = guard(() => {
      const target = this.#findTarget(projectId);
      noteEnding(site, target);
      forgive();
      const ownMs = target === undefined ? 0 : this.#remainingMs(target, attempt);
      const leftMs = isEnding(target) ? Math.max(ownMs, pausesMs.later) : ownMs;
      if (leftMs > 0) return void (timer = setTimeout(endInTime, leftMs));
      leave();
      giveUp(visit, target);
    });
    const goOn = guard(() => {
      leave();
      forgive();
      attempt.retry();
    });
    const held: HeldVisit = { bytes, goOn };
    noteEnding(site, target);
    let timer = setTimeout(endInTime, Math.max(0, remainingMs));
    stream.once("close", leave);
    site.visits.add(held);
    site.bytes += bytes;
    this.#visits += 1;
    this.#bytes += bytes;
    site.timer ??= this.#arm(projectId, site);
  }

  connectMs(target: IngressTarget, attempt: Attempt): number {
    return Math.min(this.#times.connectMs, Math.max(shortestTryMs, this.#remainingMs(target, attempt)));
  }

  noteListening(projectId: string): void {
    const site = this.#sites.get(projectId);
    if (site === undefined || site.isListening) return;
    site.isListening = true;
    clearTimeout(site.timer);
    site.timer = this.#arm(projectId, site);
  }

  #remainingMs(target: IngressTarget, { startedAt }: Attempt): number {
    const patienceMs = isAccusable(target) ? this.#times.listenMs : this.#times.holdMs;
    return startedAt + patienceMs - performance.now();
  }

  #hasRoom(projectId: string, bytes: number): boolean {
    const site = this.#sites.get(projectId);
    return (
      this.#visits < this.#bounds.visits &&
      this.#bytes + bytes <= this.#bounds.bytes &&
      (site === undefined || site.visits.size < this.#bounds.visitsPerProject) &&
      (site?.bytes ?? 0) + bytes <= this.#bounds.bytesPerProject
    );
  }

  #site(projectId: string): HeldSite {
    const known = this.#sites.get(projectId);
    if (known !== undefined) return known;
    const site: HeldSite = {
      visits: new Set(),
      bytes: 0,
      since: performance.now(),
      endingUntil: 0,
      isListening: false,
      timer: undefined,
    };
    this.#sites.set(projectId, site);
    return site;
  }

  #remove(projectId: string, site: HeldSite, held: HeldVisit): void {
    if (!site.visits.delete(held)) return;
    site.bytes -= held.bytes;
    this.#visits -= 1;
    this.#bytes -= held.bytes;
    if (site.visits.size > 0) return;
    clearTimeout(site.timer);
    site.timer = undefined;
    if (this.#sites.get(projectId) === site) this.#sites.delete(projectId);
  }

  #arm(projectId: string, site: HeldSite): NodeJS.Timeout {
    const isNew = performance.now() - site.since < pausesMs.laterAfter;
    const pauseMs = isNew ? pausesMs.first : pausesMs.later;
    return setTimeout(() => this.#look(projectId, site), site.isListening ? released.everyMs : pauseMs);
  }

  /**
   * Lets visits go on where the site has a target again. Before a program is known to listen, one visit alone
   * finds out.
   */
  #look(projectId: string, site: HeldSite): void {
    site.timer = undefined;
    const target = this.#targetOfAll(projectId);
    noteEnding(site, target);
    const isUnsure = target?.kind === "process" && !site.isListening;
    const count = target?.kind === "soon" ? 0 : isUnsure ? 1 : released.atOnce;
    for (const { goOn } of [...site.visits].slice(0, count)) goOn();
    if (site.visits.size > 0) site.timer ??= this.#arm(projectId, site);
  }

  /**
   * Returns the target of all visits of the site. A fault returns undefined as well: each visit that goes on
   * meets it again, and ends with it.
   */
  #targetOfAll(projectId: string): IngressTarget | undefined {
    try {
      return this.#findTarget(projectId);
    } catch {
      return undefined;
    }
  }
}

function isEnding(target: IngressTarget | undefined): boolean {
  return target?.kind === "soon" && target.isEnding === true;
}

function noteEnding(site: HeldSite, target: IngressTarget | undefined): void {
  if (isEnding(target)) site.endingUntil = performance.now();
}

/** True when the fault is the program's: it has had a minute to listen. */
function isAccusable(target: IngressTarget): target is ProcessTarget {
  return target.kind === "process" && !target.isStarting;
}

function giveUp({ stream }: StreamVisit, target: IngressTarget | undefined): void {
  if (target === undefined) return fail(stream, "not_here");
  if (isAccusable(target)) return fail(stream, "not_listening", target.port);
  fail(stream, "starting");
}

/** Returns the number of bytes of an upload that may arrive before they are read. */
function uploadBytes({ stream, headers }: StreamVisit): number {
  if (stream.endAfterHeaders) return 0;
  const length = Number(headers["content-length"] ?? Infinity);
  return Math.min(streamWindowBytes, Number.isNaN(length) ? Infinity : length);
}
