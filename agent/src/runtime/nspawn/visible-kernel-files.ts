/**
 * The allow-list of a container's /proc and /sys: the supervisor hides everything else that the kernel shows
 * there.
 */

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
