/**
 * The system call filter of every container, as a classic BPF program that `setpriv --seccomp-filter` loads.
 */

type CallNumbers = Record<"x64" | "arm64", number | null>;

/**
 * Calls that no project may make: kernel interfaces without use for it or with a history of holes, mounting,
 * and the making of namespaces. Denied calls fail with EPERM. The filter is loaded inside the container, by
 * its first process, after nspawn is done.
 *
 * It denies all that Docker's default profile denies to a container without capabilities, and `pidfd_getfd`,
 * `process_vm_readv` and `process_vm_writev` besides. `ptrace` is allowed: it ends at the container's own
 * processes, and debuggers need it.
 */
const deniedCalls: Record<string, CallNumbers> = {
  acct: { x64: 163, arm64: 89 },
  add_key: { x64: 248, arm64: 217 },
  adjtimex: { x64: 159, arm64: 171 },
  bpf: { x64: 321, arm64: 280 },
  clock_adjtime: { x64: 305, arm64: 266 },
  clock_settime: { x64: 227, arm64: 112 },
  create_module: { x64: 174, arm64: null },
  delete_module: { x64: 176, arm64: 106 },
  fanotify_init: { x64: 300, arm64: 262 },
  finit_module: { x64: 313, arm64: 273 },
  fsconfig: { x64: 431, arm64: 431 },
  fsmount: { x64: 432, arm64: 432 },
  fsopen: { x64: 430, arm64: 430 },
  fspick: { x64: 433, arm64: 433 },
  get_kernel_syms: { x64: 177, arm64: null },
  init_module: { x64: 175, arm64: 105 },
  io_uring_enter: { x64: 426, arm64: 426 },
  io_uring_register: { x64: 427, arm64: 427 },
  io_uring_setup: { x64: 425, arm64: 425 },
  ioperm: { x64: 173, arm64: null },
  iopl: { x64: 172, arm64: null },
  kcmp: { x64: 312, arm64: 272 },
  kexec_file_load: { x64: 320, arm64: 294 },
  kexec_load: { x64: 246, arm64: 104 },
  keyctl: { x64: 250, arm64: 219 },
  lookup_dcookie: { x64: 212, arm64: 18 },
  mbind: { x64: 237, arm64: 235 },
  migrate_pages: { x64: 256, arm64: 238 },
  modify_ldt: { x64: 154, arm64: null },
  mount: { x64: 165, arm64: 40 },
  mount_setattr: { x64: 442, arm64: 442 },
  move_mount: { x64: 429, arm64: 429 },
  move_pages: { x64: 279, arm64: 239 },
  nfsservctl: { x64: 180, arm64: 42 },
  open_by_handle_at: { x64: 304, arm64: 265 },
  open_tree: { x64: 428, arm64: 428 },
  open_tree_attr: { x64: 467, arm64: 467 },
  perf_event_open: { x64: 298, arm64: 241 },
  pidfd_getfd: { x64: 438, arm64: 438 },
  pivot_root: { x64: 155, arm64: 41 },
  process_vm_readv: { x64: 310, arm64: 270 },
  process_vm_writev: { x64: 311, arm64: 271 },
  query_module: { x64: 178, arm64: null },
  quotactl: { x64: 179, arm64: 60 },
  quotactl_fd: { x64: 443, arm64: 443 },
  reboot: { x64: 169, arm64: 142 },
  request_key: { x64: 249, arm64: 218 },
  set_mempolicy: { x64: 238, arm64: 237 },
  set_mempolicy_home_node: { x64: 450, arm64: 450 },
  setns: { x64: 308, arm64: 268 },
  settimeofday: { x64: 164, arm64: 170 },
  swapoff: { x64: 168, arm64: 225 },
  swapon: { x64: 167, arm64: 224 },
  sysfs: { x64: 139, arm64: null },
  syslog: { x64: 103, arm64: 116 },
  sysctl: { x64: 156, arm64: null },
  umount2: { x64: 166, arm64: 39 },
  unshare: { x64: 272, arm64: 97 },
  uselib: { x64: 134, arm64: null },
  userfaultfd: { x64: 323, arm64: 282 },
  ustat: { x64: 136, arm64: null },
  vhangup: { x64: 153, arm64: 58 },
};

/** Calls that are reported as unknown (ENOSYS), so that programs that use them fall back to others. */
const unknownCalls: Record<string, CallNumbers> = {
  /** The flags of clone3 lie behind a pointer that filters cannot read; libc falls back to `clone`. */
  clone3: { x64: 435, arm64: 435 },
  /**
   * The requests of io_setup come out of one small budget (fs.aio-max-nr) that all projects of the host would
   * share.
   */
  io_setup: { x64: 206, arm64: 0 },
};

/** Numbers of the calls whose arguments are checked. */
const machines = {
  x64: { auditArch: 0xc000003e, clone: 56, personality: 135, socket: 41, socketpair: 53, hasX32: true },
  arm64: { auditArch: 0xc00000b7, clone: 220, personality: 92, socket: 198, socketpair: 199, hasX32: false },
};

/** Flags CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
const namespaceFlags = 0x7e020000;
const x32Bit = 0x40000000;
/** Allowed personalities: PER_LINUX and PER_LINUX32, each also with UNAME26, and the query. */
const personalities = [0, 0x0008, 0x20000, 0x20008, 0xffffffff];

const family = { unix: 1, inet: 2, inet6: 10, netlink: 16 };
/**
 * Allowed protocols: 0 (the type's own), ICMP, TCP, UDP, ICMPv6, MPTCP. Others (SCTP, DCCP, L2TP …) would
 * load a kernel module.
 */
const inetProtocols = [0, 1, 6, 17, 58, 262];
/**
 * Allowed protocol ROUTE, which lists addresses. The others are for administrators, give access to packet
 * filters and ciphers, or disclose facts about the whole host: KOBJECT_UEVENT (15) announces the disks of all
 * projects.
 */
const netlinkProtocols = [0];

const op = { load: 0x20, jumpIfEqual: 0x15, jumpIfAtLeast: 0x35, jumpIfAnySet: 0x45, answer: 0x06 };
const offset = { call: 0, arch: 4, firstArgument: 16, thirdArgument: 32 };
const allow = 0x7fff0000;
const killProcess = 0x80000000;
const errno = (number: number) => 0x00050000 | number;
const EPERM = 1;
const ENOSYS = 38;
const EPROTONOSUPPORT = 93;
const EAFNOSUPPORT = 97;

type Instruction = [code: number, jumpTrue: number, jumpFalse: number, operand: number];

/** Returns the number of a system call that containers are denied. */
export function systemCallNumber(
  name: "mount" | "pivot_root" | "setns" | "umount2" | "unshare",
  arch: string,
): number {
  if (arch !== "x64" && arch !== "arm64")
    throw new Error(`no system call numbers for machines of type ${arch}`);
  const number = deniedCalls[name]?.[arch];
  if (number === undefined || number === null)
    throw new Error(`no system call ${name} on machines of type ${arch}`);
  return number;
}

/**
 * Returns the numbers of all calls that fail whatever their arguments, with the error that they fail with, by
 * name.
 */
export function refusedCalls(arch: "x64" | "arm64"): Map<string, { number: number; errno: number }> {
  const refused = new Map<string, { number: number; errno: number }>();
  for (const [calls, error] of [
    [unknownCalls, ENOSYS],
    [deniedCalls, EPERM],
  ] as const) {
    for (const [name, { [arch]: number }] of Object.entries(calls))
      if (number !== null) refused.set(name, { number, errno: error });
  }
  return refused;
}

/**
 * Returns calls that show whether a filter holds, with the error that each is to fail with. Throws for a
 * machine whose call numbers are not known.
 */
export function probedCalls(arch: string): { name: string; number: number; errno: number }[] {
  if (arch !== "x64" && arch !== "arm64")
    throw new Error(`no system call numbers for machines of type ${arch}`);
  const refused = ["unshare", "clone3", "mount", "setns", "bpf"].map((name) => {
    const call = refusedCalls(arch).get(name);
    if (call === undefined) throw new Error(`${name} is not refused`);
    return { name, ...call };
  });
  return [{ name: "clone", number: machines[arch].clone, errno: EPERM }, ...refused];
}

/** Builds the filter. Throws for a machine whose call numbers are not known. */
export function containerFilter(arch: string): Uint8Array {
  if (arch !== "x64" && arch !== "arm64")
    throw new Error(`no system call filter for machines of type ${arch}`);
  const machine = machines[arch];
  const program: Instruction[] = [
    [op.load, 0, 0, offset.arch],
    [op.jumpIfEqual, 1, 0, machine.auditArch],
    answer(killProcess),
    [op.load, 0, 0, offset.call],
  ];
  if (machine.hasX32) program.push([op.jumpIfAtLeast, 0, 1, x32Bit], answer(errno(ENOSYS)));
  for (const refused of refusedCalls(arch).values())
    program.push(...when(refused.number, [answer(errno(refused.errno))]));
  program.push(
    ...when(machine.clone, cloneRules()),
    ...when(machine.personality, [[op.load, 0, 0, offset.firstArgument], ...allowOnly(personalities, EPERM)]),
    ...when(machine.socket, socketRules()),
    ...when(machine.socketpair, [
      [op.load, 0, 0, offset.firstArgument],
      ...allowOnly([family.unix], EAFNOSUPPORT),
    ]),
    answer(allow),
  );
  return encode(program);
}

function cloneRules(): Instruction[] {
  return [
    [op.load, 0, 0, offset.firstArgument],
    [op.jumpIfAnySet, 0, 1, namespaceFlags],
    answer(errno(EPERM)),
    answer(allow),
  ];
}

/**
 * Denies families and protocols beyond those of ordinary programs: they are old, seldom reviewed code, and a
 * request for one loads its module.
 */
function socketRules(): Instruction[] {
  const protocols = (allowed: readonly number[]): Instruction[] => [
    [op.load, 0, 0, offset.thirdArgument],
    ...allowOnly(allowed, EPROTONOSUPPORT),
  ];
  return [
    [op.load, 0, 0, offset.firstArgument],
    ...when(family.unix, [answer(allow)]),
    ...when(family.inet, protocols(inetProtocols)),
    ...when(family.inet6, protocols(inetProtocols)),
    ...when(family.netlink, protocols(netlinkProtocols)),
    answer(errno(EAFNOSUPPORT)),
  ];
}

/**
 * Runs `rules` when the loaded word is `value`; otherwise the program continues after them. `rules` end with
 * an answer.
 */
function when(value: number, rules: readonly Instruction[]): Instruction[] {
  return [[op.jumpIfEqual, 0, rules.length, value], ...rules];
}

function allowOnly(values: readonly number[], error: number): Instruction[] {
  return [...values.flatMap((value) => when(value, [answer(allow)])), answer(errno(error))];
}

function answer(action: number): Instruction {
  return [op.answer, 0, 0, action];
}

/** Encodes each instruction as `struct sock_filter`: u16 code, u8 jt, u8 jf, u32 k. */
function encode(program: Instruction[]): Uint8Array {
  const bytes = Buffer.alloc(program.length * 8);
  for (const [index, [code, jumpTrue, jumpFalse, operand]] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(jumpTrue, index * 8 + 2);
    bytes.writeUInt8(jumpFalse, index * 8 + 3);
    bytes.writeUInt32LE(operand >>> 0, index * 8 + 4);
  }
  return bytes;
}
