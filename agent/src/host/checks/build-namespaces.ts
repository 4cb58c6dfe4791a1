/**
 * Puts a command into namespaces of its own that die with the agent, so that a killed build neither keeps
 * writing nor leaves a mount behind. What the host unmounts meanwhile goes there too: a build of minutes must
 * hold no project's disk.
 */
export const endWithAgent: readonly string[] = [
  "setpriv",
  "--pdeathsig",
  "KILL",
  "unshare",
  "--mount",
  "--propagation",
  "slave",
  "--pid",
  "--fork",
  "--kill-child=KILL",
  "--mount-proc",
];
