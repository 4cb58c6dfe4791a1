/**
 * Distinguishes the failures of TLS that an operator must fix from those of a bad network, where another
 * attempt may succeed.
 */

import { OciError } from "./oci-error.ts";

/**
 * Returns the error of a connection to `origin` that `cause` ended; undefined when TLS was not the reason.
 */
export function tlsFailure(origin: string, cause: unknown): OciError | undefined {
  const code = cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : "";
  const advice = advices.find(({ codes }) => codes.includes(code))?.advice;
  return advice === undefined ? undefined : new OciError("untrusted", `${origin} ${advice} (${code})`, cause);
}

/** Advice by the error codes of OpenSSL and Node. */
const advices: readonly { codes: readonly string[]; advice: string }[] = [
  {
    codes: [
      "CERT_SIGNATURE_FAILURE",
      "CERT_UNTRUSTED",
      "DEPTH_ZERO_SELF_SIGNED_CERT",
      "SELF_SIGNED_CERT_IN_CHAIN",
      "UNABLE_TO_GET_ISSUER_CERT",
      "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
      "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    ],
    advice:
      "has a certificate of an authority that this host does not know: put the authority's certificate into " +
      "/usr/local/share/ca-certificates/ as a .crt file, run update-ca-certificates and restart the agent",
  },
  {
    codes: ["CERT_HAS_EXPIRED", "CERT_NOT_YET_VALID"],
    advice: "has a certificate that is not valid now: renew it, or set this host's clock right",
  },
  {
    codes: ["ERR_TLS_CERT_ALTNAME_INVALID"],
    advice: "has a certificate for another name: use the name that it is for, or renew it",
  },
  {
    codes: ["ERR_SSL_PACKET_LENGTH_TOO_LONG", "ERR_SSL_WRONG_VERSION_NUMBER"],
    advice: "does not speak TLS: where that is meant to be so, name it in TIJOLO_REGISTRY_INSECURE",
  },
];
