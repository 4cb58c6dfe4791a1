/**
 * Defines what programs of the cluster report of their machine as they start: a code and its parameters, in
 * the field `news` of a line of their log. The line's own sentence is English; `npm start` makes one in the
 * reader's language.
 */

import { z } from "zod";
import type { MessageTexts, ParametersOf } from "../project/owner-message.ts";

/** Settings of the kernel that may be laxer than is good for projects. */
export const hardenedSettings = [
  "kernel.unprivileged_userns_clone",
  "kernel.unprivileged_bpf_disabled",
  "vm.unprivileged_userfaultfd",
  "kernel.io_uring_disabled",
  "kernel.kptr_restrict",
  "kernel.dmesg_restrict",
  "kernel.perf_event_paranoid",
  "kernel.yama.ptrace_scope",
] as const;
export type HardenedSetting = (typeof hardenedSettings)[number];

const shapes = {
  /** Takes seconds to minutes, once. */
  fetching: { what: z.enum(["haproxy", "nginx", "system_tools", "wireguard"]) },
  disks_limited: {},
  forwarding_on: {},
  forwarding_let_through: {},
  shared_limit_raised: { setting: z.string() },
  wireguard_in_user_space: {},
  lax_setting: { setting: z.enum(hardenedSettings), value: z.number() },
  machine_swaps: {},
  low_oom_floor: {},
  /** `canFetch`: root and mmdebstrap would have brought one. */
  haproxy_missing: { canFetch: z.boolean() },
} satisfies Record<string, z.ZodRawShape>;

export type MachineNewsTexts = MessageTexts<typeof shapes>;
export type MachineNews = {
  [Code in keyof typeof shapes]: { code: Code } & ParametersOf<(typeof shapes)[Code]>;
}[keyof typeof shapes];

const [first, ...rest] = Object.entries(shapes).map(([code, shape]) =>
  z.object({ code: z.literal(code), ...shape }),
);

/** TypeScript does not follow the table through `Object.entries`. */
export const machineNews = z.discriminatedUnion("code", [
  first as NonNullable<typeof first>,
  ...rest,
]) as unknown as z.ZodType<MachineNews>;
