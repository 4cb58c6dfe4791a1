import assert from "node:assert/strict";
import { test } from "node:test";
import { containerFilter } from "./seccomp.ts";

const EPERM = 0x00050001;
const ENOSYS = 0x00050026;
const EPROTONOSUPPORT = 0x0005005d;
const EAFNOSUPPORT = 0x00050061;
const allow = 0x7fff0000;
const killProcess = 0x80000000;
const x64 = 0xc000003e;
const arm64 = 0xc00000b7;

/** Runs a filter on one call, as the kernel does. */
function verdict(
  filter: Uint8Array,
  call: { arch: number; number: number; argument?: number; protocol?: number },
): number {
  const program = Buffer.from(filter);
  let accumulator = 0;
  for (let at = 0; at < program.length; at += 8) {
    const code = program.readUInt16LE(at);
    const operand = program.readUInt32LE(at + 4);
    const jump = (isTrue: boolean) => (at += 8 * program.readUInt8(at + (isTrue ? 2 : 3)));
    const words: Record<number, number> = {
      0: call.number,
      4: call.arch,
      16: call.argument ?? 0,
      32: call.protocol ?? 0,
    };
    if (code === 0x20) accumulator = (words[operand] ?? Number.NaN) >>> 0;
    else if (code === 0x15) jump(accumulator === operand);
    else if (code === 0x35) jump(accumulator >= operand);
    else if (code === 0x45) jump((accumulator & operand) !== 0);
    else if (code === 0x06) return operand;
    else throw new Error(`unknown instruction ${code}`);
  }
  throw new Error("the filter runs past its end");
}

test("ordinary calls are allowed", () => {
  const filter = containerFilter("x64");
  for (const number of [0, 1, 9, 39, 57, 59, 61, 101, 202, 231, 257, 318, 334, 449])
    assert.equal(verdict(filter, { arch: x64, number }), allow);
  for (const number of [56, 63, 64, 93, 221, 260])
    assert.equal(verdict(containerFilter("arm64"), { arch: arm64, number }), allow);
});

test("mounting, namespaces and risky interfaces are denied", () => {
  for (const number of [165, 272, 308, 321, 298, 425, 323, 304, 428, 442])
    assert.equal(verdict(containerFilter("x64"), { arch: x64, number }), EPERM);
  for (const number of [40, 97, 268, 280, 241, 425, 282, 265])
    assert.equal(verdict(containerFilter("arm64"), { arch: arm64, number }), EPERM);
});

test("clone is allowed unless it makes a namespace, clone3 is unknown", () => {
  for (const [arch, id, clone] of [
    ["x64", x64, 56],
    ["arm64", arm64, 220],
  ] as const) {
    const filter = containerFilter(arch);
    assert.equal(verdict(filter, { arch: id, number: clone, argument: 0x003d0f00 }), allow); // a thread
    assert.equal(verdict(filter, { arch: id, number: clone, argument: 17 }), allow); // a fork
    for (let bit = 25; bit <= 30; bit++)
      assert.equal(verdict(filter, { arch: id, number: clone, argument: (1 << bit) | 17 }), EPERM);
    assert.equal(verdict(filter, { arch: id, number: clone, argument: 0x00020000 }), EPERM);
    assert.equal(verdict(filter, { arch: id, number: 435 }), ENOSYS);
  }
});

test("only sockets of ordinary programs can be made", () => {
  for (const [arch, id, socket, socketpair] of [
    ["x64", x64, 41, 53],
    ["arm64", arm64, 198, 199],
  ] as const) {
    const filter = containerFilter(arch);
    const make = (family: number, protocol: number) =>
      verdict(filter, { arch: id, number: socket, argument: family, protocol });
    for (const family of [1, 2, 10, 16]) assert.equal(make(family, 0), allow, `family ${family}`);
    for (const protocol of [6, 17, 262]) assert.equal(make(2, protocol), allow, `protocol ${protocol}`);
    for (const protocol of [33, 115, 132, 136, 255])
      assert.equal(make(10, protocol), EPROTONOSUPPORT, `protocol ${protocol}`);
    for (const protocol of [6, 9, 12, 15, 21])
      assert.equal(make(16, protocol), EPROTONOSUPPORT, `netlink ${protocol}`);
    for (let family = 0; family < 64; family++)
      if (![1, 2, 10, 16].includes(family)) assert.equal(make(family, 0), EAFNOSUPPORT, `family ${family}`);
    assert.equal(verdict(filter, { arch: id, number: socketpair, argument: 1 }), allow);
    assert.equal(verdict(filter, { arch: id, number: socketpair, argument: 30 }), EAFNOSUPPORT);
  }
});

test("a personality that makes memory executable is denied", () => {
  for (const personality of [0, 8, 0xffffffff])
    assert.equal(verdict(containerFilter("x64"), { arch: x64, number: 135, argument: personality }), allow);
  for (const personality of [0x0400000, 0x0040000])
    assert.equal(verdict(containerFilter("x64"), { arch: x64, number: 135, argument: personality }), EPERM);
});

test("calls in another machine's numbers end the process, x32 calls are unknown", () => {
  assert.equal(verdict(containerFilter("x64"), { arch: 0x40000003, number: 1 }), killProcess);
  assert.equal(verdict(containerFilter("arm64"), { arch: x64, number: 1 }), killProcess);
  assert.equal(verdict(containerFilter("x64"), { arch: x64, number: 0x40000000 + 1 }), ENOSYS);
});

test("a machine without known call numbers is refused", () => {
  assert.throws(() => containerFilter("riscv64"), /riscv64/);
});
