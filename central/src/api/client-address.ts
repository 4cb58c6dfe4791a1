/**
 * Where a request came from. Fastify has looked at X-Forwarded-For already, if a trusted proxy sent it; IPv4 within IPv6 is IPv4.
 * A connection that is gone has no address any more.
 */
export function clientAddress({ ip }: { ip: string | undefined }): string {
  if (ip === undefined) return "unknown";
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1] ?? ip;
}
