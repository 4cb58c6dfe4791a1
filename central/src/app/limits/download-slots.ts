/** Limits how many archives of versions an account downloads at once. */

import { refusalDetails } from "@tijolo/protocol/texts/central";
import { AccountSlots } from "./account-slots.ts";

const downloadsAtOnce = 4;

export function createDownloadSlots(): AccountSlots {
  return new AccountSlots(downloadsAtOnce, refusalDetails.downloadsAtOnce(downloadsAtOnce));
}
