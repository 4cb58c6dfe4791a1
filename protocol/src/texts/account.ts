/** Joins the texts about an account that the command line and the panel share: its activity, actors and fields. */

import { account as en } from "./en/cli/account.ts";
import { account as pt } from "./pt/cli/account.ts";

export const accountTexts = { pt: pt.texts, en: en.texts };
