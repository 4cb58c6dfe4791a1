/** Returns when a certificate is renewed whose authority says nothing of it: at two thirds of its life. */
export function defaultRenewal({ beginsAt, endsAt }: { beginsAt: number; endsAt: number }): number {
  return beginsAt + ((endsAt - beginsAt) * 2) / 3;
}
