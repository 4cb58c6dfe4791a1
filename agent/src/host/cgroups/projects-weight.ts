/** The part of the processors that a host's projects have together, against what else the machine runs. */

import { availableParallelism } from "node:os";

const perProcessor = 200;
const weightMax = 10_000;

/**
 * Returns the weight of the group around all projects (1 to 10,000; each other group has 100 unless somebody
 * set it).
 *
 * It grows with the number of processors, as Kubernetes' for its pods does: the kernel divides a group's
 * weight over the processors on which its members run, by how busy each is. A project that computes on one
 * processor takes nearly all of it there, and leaves a visit on another next to nothing. With 100 on two
 * processors beside two busy processes of another group, 1 in 100 visits of a site waited for 4.8 s while a
 * neighbour filled its disk; with 400 for 0.3 to 0.5 s. With 1,000 it was 0.1 s, but without systemd, where the
 * agent is beside that group, a project that forks as fast as it can kept the agent waiting for 0.1 to 0.3 s.
 */
export function projectsWeight(): number {
  return Math.min(weightMax, perProcessor * availableParallelism());
}

/**
 * Returns the weight of the projects' group where Tijolo's services are beside it, each of 100: while projects
 * would have all processors, a service still gets nearly one.
 */
export function weightBesideServices(): number {
  return Math.min(weightMax, 100 * availableParallelism());
}
