/** Finds what a person means by a few letters: each word in turn, without accents. Pure. */

const marks = /\p{M}/gu;

/** Lower case, without accents, so that "configuracoes" finds "Configurações". */
export function plainText(text: string): string {
  return text.normalize("NFD").replace(marks, "").toLowerCase();
}

/** Returns how well `text` answers to `query`: more is better, 0 is not at all. Both are plain texts. */
export function scoreOf(query: string, text: string): number {
  let total = 0;
  for (const word of query.split(/\s+/).filter(Boolean)) {
    const score = scoreOfWord(word, text);
    if (score === 0) return 0;
    total += score;
  }
  // Of two that answer equally well, the shorter one is what was meant.
  return total === 0 ? 0 : total + 1 / (1 + text.length);
}

function scoreOfWord(word: string, text: string): number {
  if (text.startsWith(word)) return 100;
  const places = placesOf(word, text);
  if (places.some((at) => isWordStart(text, at))) return 80;
  if (places.length > 0) return 50;
  return placesOf(word.slice(0, 1), text).some((at) => isWordStart(text, at) && isSpread(word, text, at))
    ? 10
    : 0;
}

function placesOf(part: string, text: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) places.push(at);
  return places;
}

function isWordStart(text: string, at: number): boolean {
  return at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? "");
}

/** True when the letters stand in the text from `from` on in this order, with others between them. */
function isSpread(word: string, text: string, from: number): boolean {
  let at = from;
  for (const letter of word) {
    const found = text.indexOf(letter, at);
    if (found === -1) return false;
    at = found + 1;
  }
  return true;
}
