/**
 * Builds the hops within HAProxy that a visit takes when the first try to carry it has failed: on to the program
 * once more, or to the page that says what the program did.
 */

import { failureHeader, gatewayHeader, type CentralServers, type IngressFailure } from "@tijolo/protocol";
import { answerInJson } from "./error-files.ts";
import { centralServer, type FarCentral } from "./central-server.ts";
import { compressedName } from "./compression.ts";
import { hopTlv, routeField } from "./route-value.ts";

/**
 * Way by which the program was tried: a kept connection, which may have ended at the moment of its use, a
 * connection of its own, or again and again, as it did not listen at first.
 */
export type TriedBackend = "kept" | "fresh" | "patient";

const failures = [
  { status: 502, failure: "bad_response" },
  { status: 504, failure: "timeout" },
] as const satisfies { status: number; failure: IngressFailure }[];

/** Names of the backends that go to central's pages server. */
export const pagesBackends = [
  "pages",
  compressedName("pages"),
  ...failures.map(({ status }) => `failed-${status}`),
];

/**
 * Rule of a backend: notes when its program was reached, which runs before an answer is waited for. A try without
 * it has sent nothing.
 */
export const noteReached = "tcp-response content set-var(txn.reached) date(0,ms)";

/**
 * Returns the option of a server that tells the `again` frontend, as three fields, what was tried, when the program
 * was reached, and after how many milliseconds of its silence it was late.
 */
export function triedTlv(backend: TriedBackend, lateMs: number): string {
  return `set-proxy-v2-tlv-fmt(${hopTlv.tried}) ${backend}|%[var(txn.reached,never)]|${lateMs}`;
}

/**
 * Condition and arguments of a rule that waits for a request's body: HAProxy keeps a copy of what it can send as a
 * whole only, and has the page of a failure for no other request.
 */
export const hasSmallBody = "{ req.hdr(content-length) -m int le 16384 } !{ req.hdr(expect) -m found }";
export const wholeBody = "time 60s";

export interface FailedVisitParts {
  /** Directory of the sockets and pages. */
  run: string;
  /** Options of a socket that only HAProxy opens. */
  owner: string;
  ways: readonly { name: string }[];
}

/** Returns the frontends of the hops within HAProxy. */
export function failedVisitFrontends({ run, owner, ways }: FailedVisitParts): string {
  const way = (name: string) => `{ ${routeField("way")} -m str ${name} ${compressedName(name)} }`;
  const is = (failure: IngressFailure) => `{ var(txn.failure) -m str ${failure} }`;
  const json = failures.map(({ status, failure }) =>
    answerInJson("http-request", { run, status, condition: is(failure) }),
  );
  const pages = failures.map(({ status, failure }) => `    use_backend failed-${status} if ${is(failure)}`);
  return `frontend again
    bind unix@${run}/again accept-proxy mode 600${owner}
${takeRoute}
    http-request set-var(txn.tried) fc_pp_tlv(${hopTlv.tried})
    http-request set-var(txn.reached) var(txn.tried),field(2,|)
    http-request set-var(txn.lateAfter) var(txn.tried),field(3,|)
    http-request set-var(txn.late) date(0,ms),sub(txn.reached),sub(txn.lateAfter)
    acl unread var(txn.reached) -m str never
    acl kept var(txn.tried),field(1,|) -m str kept
    acl patient var(txn.tried),field(1,|) -m str patient
    acl late var(txn.late) -m int ge 0
    http-request set-var(txn.failure) str(timeout) if !unread late
    http-request set-var(txn.failure) str(bad_response) if !unread !late !kept or unread patient
    http-request wait-for-body ${wholeBody} if ${hasSmallBody}
${[...json, ...pages].join("\n")}
${ways.map(({ name }) => `    use_backend ${name}-again if unread ${way(name)}\n    use_backend ${name}-once if ${way(name)}`).join("\n")}

frontend patient
    bind unix@${run}/patient accept-proxy mode 600${owner}
${takeRoute}
${ways.map(({ name }) => `    use_backend ${name}-patient if ${way(name)}`).join("\n")}
`;
}

const takeRoute = `    http-request set-var(txn.route) fc_pp_tlv(${hopTlv.route})`;

/** Returns the backends that have the pages server say what the program did; without it there is our plain page. */
export function failedVisitBackends(
  run: string,
  { key, pages, showsFailures }: CentralServers,
  far: FarCentral | null,
): string {
  const server = showsFailures === true ? centralServer("pages", pages, far) : "";
  return failures
    .map(
      ({ status, failure }) => `backend failed-${status}
    timeout connect 500ms
    timeout server 10s
    retries 2
    http-reuse safe
    http-request set-header ${gatewayHeader} ${key}
    http-request set-header ${failureHeader} ${failure}
    errorfile 502 ${run}/${status}.http
    errorfile 503 ${run}/${status}.http
    errorfile 504 ${run}/${status}.http
${server}`,
    )
    .join("\n");
}
