/** Files that a container's /proc and /sys show: the supervisor hides everything else there. */

/** Absolute paths; a directory stands for all that is in it. SECURITY.md gives the reason of each. */
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
 * Directories that exist and are empty: programs that list them accept no device as an answer, but fail for a
 * missing directory.
 */
export const emptyKernelDirectories: readonly string[] = [
  "/sys/block",
  "/sys/class/net",
  "/sys/class/power_supply",
];
