/** Node scripts that tests run inside projects' networks, as text; each prints one line at its end. */

/** Greets by TCP, echoes what is sent, and answers each datagram. */
export function echoOn(ports: readonly number[]): string {
  return `const ports = ${JSON.stringify(ports)}; let open = 0; const ready = () => ++open === 2 * ports.length && console.log("ready");
    for (const port of ports) {
      require("net").createServer((s) => { s.on("error", () => {}); s.write("tcp"); s.on("data", (d) => s.write(d)); }).listen(port, ready);
      const udp = require("dgram").createSocket("udp4"); udp.on("message", (_, from) => udp.send("udp", from.port, from.address)); udp.bind(port, ready);
    }`;
}

export function connectTo(host: string, port: number): string {
  return `const s = require("net").connect(${port}, "${host}"); s.setTimeout(20000, () => { console.log("timeout"); s.destroy(); });
    s.on("error", (e) => console.log(e.code)); s.once("data", (d) => { console.log(String(d)); s.destroy(); });`;
}

/** Until it is answered, or nobody has answered for so long. */
export function sendTo(host: string, port: number, patienceMs = 20_000): string {
  return `const s = require("dgram").createSocket("udp4"); let tries = 0; const end = (text) => { console.log(text); process.exit(); };
    s.on("message", (d) => end(String(d))); s.on("error", (e) => end(e.code));
    const send = () => ++tries > ${patienceMs / 500} ? end("timeout") : s.send("?", ${port}, "${host}"); send(); setInterval(send, 500);`;
}

/** Returns a script with one connection that goes on as long as lookups do, one of each in turn. */
export function talkAndLookUp(host: string, port: number): string {
  return `const { lookup } = require("dns"); const misses = {}; let echoes = 0, slowestMs = 0, ends = false;
    process.stdin.on("data", () => { ends = true; });
    const s = require("net").connect(${port}, "${host}"); s.on("error", (e) => { console.log(JSON.stringify({ echoes: 0, misses: { [e.code]: 1 } })); process.exit(); });
    s.once("data", () => { console.log("ready"); s.on("data", step); step(); });
    const step = () => { const at = performance.now(); lookup("${host}", (error) => {
      slowestMs = Math.max(slowestMs, Math.round(performance.now() - at)); if (error) misses[error.code] = (misses[error.code] ?? 0) + 1; echoes++;
      if (ends) { console.log(JSON.stringify({ echoes, misses, slowestMs })); process.exit(); } else setTimeout(() => s.write("x"), 5); }); };`;
}

/**
 * Returns a script that looks up as musl and busybox do: both questions from one socket before either answer;
 * prints code and answer count of each.
 */
export function bothFamiliesAtOnce(host: string): string {
  return `${queryFunction} const got = {}; const udp = require("dgram").createSocket("udp4");
    udp.on("message", (m) => { got[m.readUInt16BE(0)] = (m[3] & 15) + " " + m.readUInt16BE(6);
      if (got[1] && got[2]) { console.log("A " + got[1] + " AAAA " + got[2]); process.exit(); } });
    udp.send(query(1, "${host}", 1), 53, "169.254.1.1"); udp.send(query(2, "${host}", 28), 53, "169.254.1.1"); setTimeout(() => process.exit(1), 20000);`;
}

export function byTcp(host: string): string {
  return `${queryFunction} const q = query(1, "${host}", 1); const s = require("net").connect(53, "169.254.1.1");
    s.write(Buffer.from([0, q.length])); s.write(q); let all = Buffer.alloc(0); s.setTimeout(20000, () => s.destroy()); s.on("error", (e) => console.log(e.code));
    s.on("data", (d) => { all = Buffer.concat([all, d]); if (all.length > 2 && all.length >= 2 + all.readUInt16BE(0)) {
      console.log("A " + (all[5] & 15) + " " + all.readUInt16BE(8)); s.destroy(); } });`;
}

/** Returns a script that asks as fast as it can, from another port now and then. */
export function floodOf(host: string): string {
  return `${queryFunction} let sent = 0, answered = 0, ends = false; const at = performance.now();
    const open = () => { const udp = require("dgram").createSocket("udp4"); udp.on("message", () => answered++); udp.on("error", () => {}); return udp; };
    const sockets = Array.from({ length: 64 }, open); process.stdin.on("data", () => { ends = true; }); console.log("floods");
    const step = () => { for (const udp of sockets) { udp.send(query(sent & 0xffff, "${host}", 1), 53, "169.254.1.1", () => {}); sent++; }
      if (ends) { console.log(JSON.stringify({ sent, answered, seconds: Math.round((performance.now() - at) / 100) / 10 })); process.exit(); } setImmediate(step); }; step();`;
}

const queryFunction = `const query = (id, name, type) => Buffer.concat([Buffer.from([id >> 8, id & 255, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]),
  ...name.split(".").map((l) => Buffer.concat([Buffer.from([l.length]), Buffer.from(l)])), Buffer.from([0, type >> 8, type & 255, 0, 1])]);`;
