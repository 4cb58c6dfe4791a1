// Um bot pequeno: a cada poucos segundos escreve uma linha nos logs, até alguém pedir que pare.

const intervalSeconds = Number(process.env.TICK_SECONDS ?? 5);
let ticks = 0;

console.log(`Bot no ar: Node ${process.version}, um tique a cada ${intervalSeconds} s`);

const timer = setInterval(() => {
  ticks += 1;
  const memoryMb = Math.round(process.memoryUsage().rss / 1024 / 1024);
  console.log(`tique ${ticks} (${memoryMb} MB)`);
}, intervalSeconds * 1000);

// SIGTERM é como o Tijolo pede para parar. Sem nada mais a fazer, o processo termina com código 0.
process.once("SIGTERM", () => {
  console.log(`Até logo, depois de ${ticks} tiques`);
  clearInterval(timer);
});
