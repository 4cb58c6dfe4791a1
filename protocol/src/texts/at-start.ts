/** Begins a sentence with the words: "o plano" becomes "O plano", a word of the command line stays. */
export function atStart(words: string): string {
  return words.replace(/^\p{L}+ /u, (article) => article.slice(0, 1).toUpperCase() + article.slice(1));
}
