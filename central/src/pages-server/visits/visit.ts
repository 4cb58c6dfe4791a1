/** Defines what is known of one request to a site once it is answered. Nothing in it is trusted. */

export interface Visit {
  projectId: string;
  /** Milliseconds since 1970 at which the answer was over. */
  at: number;
  method: string;
  /** Target of the request, with its query. */
  path: string;
  /** Host that was asked for; a referrer with this name is the site itself. */
  host: string;
  status: number;
  /** Bytes that the visitor was sent. */
  bytes: number;
  /** Milliseconds from the request's head to the head of the answer. */
  durationMs: number;
  address: string;
  userAgent: string;
  referrer: string;
}
