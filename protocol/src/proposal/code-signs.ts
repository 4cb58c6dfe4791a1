/** Reads from source code whether a program listens on a port, and on which. */

/** Matches source code that listens on a port, in any of the languages. */
const listens =
  /\.listen\(|createServer\(|\.serve\(|Bun\.serve|Deno\.serve|ListenAndServe|http\.server|HTTPServer\(|uvicorn\.run|\bapp\.run\(|serve_forever|WEBrick|TCPServer|Sinatra|Rack::|WebApplication\.Create|HttpServer\.create|process\.env\.PORT|environ(?:\.get)?[[(]["']PORT["']|Getenv\("PORT"\)|ENV(?:\.fetch\(|\[)["']PORT["']/;

/** Match ports that are written as numbers where a program begins to listen. */
const ports = [
  /\.listen\(\s*(\d{2,5})\b/,
  /\bport\s*=\s*(\d{2,5})\b(?![^\n]*environ)/,
  /ListenAndServe\(\s*"[^":]*:(\d{2,5})"/,
];

export function doesListen(source: string): boolean {
  return listens.test(source);
}

/** Returns the port of a program that listens on a fixed one; null when it reads PORT, or none is seen. */
export function fixedPort(source: string): number | null {
  if (/\bPORT\b/.test(source)) return null;
  const found = ports.map((pattern) => Number(pattern.exec(source)?.[1] ?? 0)).find((port) => port > 0);
  return found !== undefined && found <= 65_535 ? found : null;
}
