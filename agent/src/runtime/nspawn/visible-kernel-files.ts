/** What a container's /proc and /sys show: the supervisor hides everything else that the kernel has there. */

/** Holds absolute paths; a directory stands for all that is in it. SECURITY.md gives the reason of each. */
export const visibleKernelFiles: readonly string[] = [
  "/proc/cgroups",
  "/proc/cpuinfo",
  "/proc/filesystems",
  "/proc/loadavg",
  "/proc/meminfo",
  "/proc/stat",
  "/proc/sys/kernel",
  "/proc/sys/net",
  "/proc/sys/user",
  "/proc/sys/vm",
  "/proc/sysvipc",
  "/proc/uptime",
  "/proc/version",
  "/sys/devices/system/cpu",
  "/sys/devices/system/node",
  "/sys/fs/cgroup",
  "/sys/kernel/mm/transparent_hugepage",
];

/**
 * Holds directories that are there, and empty: what lists them takes no device for an answer, and a missing
 * directory for an error.
 */
export const emptyKernelDirectories: readonly string[] = [
  "/sys/block",
  "/sys/class/net",
  "/sys/class/power_supply",
];
