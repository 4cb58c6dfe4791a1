/** Defines what the browser lets the panel's pages do. */

import { createHash } from "node:crypto";

/**
 * Content security policy of the panel. Everything comes from central's own address, and no text becomes a
 * script: `tijolo-worker` is the one policy of the panel's sources, for the address of its own worker.
 */
const panelPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "frame-src 'self'",
  "manifest-src 'self'",
  "img-src 'self' data: blob:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types tijolo-worker",
].join("; ");

/** Features of the browser that the panel does not use; copying and passkeys stay. */
const deniedFeatures = [
  "camera",
  "display-capture",
  "geolocation",
  "gyroscope",
  "magnetometer",
  "microphone",
  "midi",
  "payment",
  "serial",
  "usb",
];

export const panelHeaders: Readonly<Record<string, string>> = {
  "content-security-policy": panelPolicy,
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": deniedFeatures.map((feature) => `${feature}=()`).join(", "),
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/** Returns the same headers with the policy of a page that has only its own style, which is inside it. */
export function headersOfStyledPage(style: string): Readonly<Record<string, string>> {
  const digest = createHash("sha256").update(style).digest("base64");
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${digest}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return { ...panelHeaders, "content-security-policy": policy.join("; ") };
}
