/** What a `.env` of the chosen folder offers as variables of the project. */

import { parseDotenv, splitDotenv } from "@tijolo/protocol/dotenv";

export interface DotenvOffer {
  variables: Record<string, string>;
  /** Names that the service sets itself, or that no variable may have. */
  refused: string[];
  /** Numbers of the lines that are no variables. */
  unreadable: number[];
}

export function offerOf(text: string): DotenvOffer {
  const variables: Record<string, string> = Object.create(null) as Record<string, string>;
  const refused: string[] = [];
  for (const [name, value] of parseDotenv(text)) {
    if (isAllowed(name)) variables[name] = value;
    else refused.push(name);
  }
  return { variables, refused, unreadable: splitDotenv(text).unreadable.map(({ number }) => number) };
}

function isAllowed(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !/^(?:PORT$|HOST$|SVC_)/.test(name);
}
