/** The system call filter of every container, as a classic BPF program that `setpriv --seccomp-filter` loads. */

/**
 * What no project may call: kernel interfaces without use for it or with a history of holes, mounting, and the making of
 * namespaces. Denied calls fail with EPERM. The filter is loaded inside the container, by its first process, after nspawn is done.
 */
const deniedCalls: Record<string, { x64: number | null; arm64: number | null }> = {
  acct: { x64: 163, arm64: 89 },
  add_key: { x64: 248, arm64: 217 },
  adjtimex: { x64: 159, arm64: 171 },
  bpf: { x64: 321, arm64: 280 },
  clock_adjtime: { x64: 305, arm64: 266 },
  clock_settime: { x64: 227, arm64: 112 },
  delete_module: { x64: 176, arm64: 106 },
  fanotify_init: { x64: 300, arm64: 262 },
  finit_module: { x64: 313, arm64: 273 },
  fsconfig: { x64: 431, arm64: 431 },
  fsmount: { x64: 432, arm64: 432 },
  fsopen: { x64: 430, arm64: 430 },
  fspick: { x64: 433, arm64: 433 },
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
  perf_event_open: { x64: 298, arm64: 241 },
  pidfd_getfd: { x64: 438, arm64: 438 },
  pivot_root: { x64: 155, arm64: 41 },
  process_vm_readv: { x64: 310, arm64: 270 },
  process_vm_writev: { x64: 311, arm64: 271 },
  quotactl: { x64: 179, arm64: 60 },
  quotactl_fd: { x64: 443, arm64: 443 },
  reboot: { x64: 169, arm64: 142 },
  request_key: { x64: 249, arm64: 218 },
  set_mempolicy: { x64: 238, arm64: 237 },
  setns: { x64: 308, arm64: 268 },
  settimeofday: { x64: 164, arm64: 170 },
  swapoff: { x64: 168, arm64: 225 },
  swapon: { x64: 167, arm64: 224 },
  syslog: { x64: 103, arm64: 116 },
  umount2: { x64: 166, arm64: 39 },
  unshare: { x64: 272, arm64: 97 },
  uselib: { x64: 134, arm64: null },
  userfaultfd: { x64: 323, arm64: 282 },
  vhangup: { x64: 153, arm64: 58 },
};

const machines = {
  x64: { auditArch: 0xc000003e, clone: 56, hasX32: true },
  arm64: { auditArch: 0xc00000b7, clone: 220, hasX32: false },
};

/** Its flags lie behind a pointer, out of a filter's sight; libc falls back to `clone` where it is unknown. */
const clone3 = 435;
/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
const namespaceFlags = 0x7e020000;
const x32Bit = 0x40000000;

const op = { load: 0x20, jumpIfEqual: 0x15, jumpIfAtLeast: 0x35, jumpIfAnySet: 0x45, answer: 0x06 };
const offset = { call: 0, arch: 4, firstArgumentLow: 16 };
const allow = 0x7fff0000;
const killProcess = 0x80000000;
const errno = (number: number) => 0x00050000 | number;
const EPERM = 1;
const ENOSYS = 38;

type Instruction = [code: number, jumpTrue: number, jumpFalse: number, operand: number];

/** The number of a system call that containers are denied. */
export function systemCallNumber(name: "mount" | "setns" | "unshare", arch: string): number {
  if (arch !== "x64" && arch !== "arm64") throw new Error(`no system call numbers for machines of type ${arch}`);
  const number = deniedCalls[name]?.[arch];
  if (number === undefined || number === null) throw new Error(`no system call ${name} on machines of type ${arch}`);
  return number;
}

/** Throws for a machine whose call numbers are not known. */
export function containerFilter(arch: string): Uint8Array {
  if (arch !== "x64" && arch !== "arm64") throw new Error(`no system call filter for machines of type ${arch}`);
  const machine = machines[arch];
  const program: Instruction[] = [
    [op.load, 0, 0, offset.arch],
    [op.jumpIfEqual, 1, 0, machine.auditArch],
    [op.answer, 0, 0, killProcess],
    [op.load, 0, 0, offset.call],
  ];
  if (machine.hasX32) program.push([op.jumpIfAtLeast, 0, 1, x32Bit], [op.answer, 0, 0, errno(ENOSYS)]);
  program.push([op.jumpIfEqual, 0, 1, clone3], [op.answer, 0, 0, errno(ENOSYS)]);
  program.push(
    [op.jumpIfEqual, 0, 4, machine.clone],
    [op.load, 0, 0, offset.firstArgumentLow],
    [op.jumpIfAnySet, 0, 1, namespaceFlags],
    [op.answer, 0, 0, errno(EPERM)],
    [op.answer, 0, 0, allow],
  );
  for (const numbers of Object.values(deniedCalls)) {
    const number = numbers[arch];
    if (number !== null) program.push([op.jumpIfEqual, 0, 1, number], [op.answer, 0, 0, errno(EPERM)]);
  }
  program.push([op.answer, 0, 0, allow]);
  return encode(program);
}

/** `struct sock_filter` each: u16 code, u8 jt, u8 jf, u32 k. */
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
