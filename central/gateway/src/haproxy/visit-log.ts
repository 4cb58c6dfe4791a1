/** Says which visits HAProxy writes to its ring, and how: those that it carries itself. */

/**
 * Response header by which a visit says on its way back through HAProxy that the pages server has counted it. Its
 * value is the key of that server, which no program of a site knows.
 */
const countedHeader = "x-tijolo-counted";

/**
 * Line of a visit in the ring, which the program reads: JSON, whose texts are cut to what is counted.
 */
export const visitFormat = [
  "%{+json}o",
  "%(t)[date(0,us)]",
  "%(project)[var(txn.project)]",
  "%(address)[var(txn.source)]",
  "%(method)[method,bytes(0,32)]",
  "%(path)[capture.req.uri,bytes(0,1024)]",
  "%(host)[var(txn.host),bytes(0,253)]",
  "%(status)ST",
  "%(bytes)B",
  "%(waited)Tw",
  "%(connected)Tc",
  "%(answered)Tr",
  "%(agent)[var(txn.agent)]",
  "%(referrer)[var(txn.referrer)]",
].join(" ");

/** Rule of the frontend whose visits the pages server counts. */
export function markCounted(key: string): string {
  return `http-response set-header ${countedHeader} ${key}`;
}

/**
 * Returns the rules of a backend that the visitors' frontend uses: what is counted is not written down, and programs
 * set no header with the prefix of ours.
 */
export function leaveOutCounted(key: string): string {
  return `http-response set-log-level silent if { res.hdr(${countedHeader}) -m str -- ${key} }
    http-response del-header x-tijolo- -m beg`;
}

/** Returns the rule of a backend behind another one, which has to learn what is counted. */
export function dropHeadersButCounted(key: string): string {
  return `http-response del-header x-tijolo- -m beg unless { res.hdr(${countedHeader}) -m str -- ${key} }`;
}
