/** A QR code as React's own elements: the policy of the page forbids markup in a string. Load it lazily. */

import { encode } from "uqr";

interface QrCodeProps {
  text: string;
  label: string;
  className?: string | undefined;
}

/** Dark on white in both themes: many cameras read nothing else. */
export function QrCode({ text, label, className }: QrCodeProps) {
  const { size, data } = encode(text, { ecc: "M", border: 4 });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} className={className}>
      <rect width={size} height={size} fill="var(--qr-light)" />
      <path d={dark.join("")} fill="var(--qr-dark)" shapeRendering="crispEdges" />
    </svg>
  );
}
