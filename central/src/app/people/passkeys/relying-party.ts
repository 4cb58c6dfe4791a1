/**
 * Decides for which address passkeys are made: a browser binds each to a host name, and offers none at an IP
 * address or without TLS, other than at localhost.
 */

import { isIP } from "node:net";
import { AppError, type Words } from "@tijolo/protocol";
import { refusalDetails } from "@tijolo/protocol/texts/central";
import type { PanelSettings } from "../auth-cookie.ts";

/** The service as WebAuthn knows it. */
export interface RelyingParty {
  /** Host name that the passkeys are bound to. */
  id: string;
  /** Origin that the browser states. */
  origin: string;
}

interface PanelContext {
  panel: Pick<PanelSettings, "url">;
}

/** Returns the relying party at the called host. Throws `passkeys_unavailable`, which says why. */
export function relyingPartyAt(app: PanelContext, host: string | undefined): RelyingParty {
  const found = findRelyingParty(app, host);
  if ("reason" in found) throw new AppError("passkeys_unavailable", { detail: found.reason });
  return found;
}

/** True when people can add passkeys and sign in by them at the called host (the header `Host`). */
export function arePasskeysAvailable(app: PanelContext, host: string | undefined): boolean {
  return !("reason" in findRelyingParty(app, host));
}

/**
 * Only the panel's own address counts, and localhost: a name that the caller makes up would get challenges
 * for any site that it names.
 */
function findRelyingParty({ panel }: PanelContext, host = ""): RelyingParty | { reason: Words } {
  const url = new URL(panel.url());
  const called = host.toLowerCase();
  const isPanel = called === url.host;
  const [, calledName = "", port = ""] = /^(\[[0-9a-f:.]+\]|[^:]*)(:\d{1,5})?$/.exec(called) ?? [];
  if (calledName === "localhost" && !isPanel) return { id: "localhost", origin: `http://localhost${port}` };
  if (["127.0.0.1", "[::1]"].includes(calledName))
    return { reason: refusalDetails.passkeysElsewhere(`http://localhost${port}`) };
  if (isIP(url.hostname.replace(/^\[|\]$/g, "")) !== 0) return { reason: refusalDetails.passkeysNeedName };
  if (url.protocol !== "https:" && url.hostname !== "localhost")
    return { reason: refusalDetails.passkeysNeedTls };
  if (!isPanel) return { reason: refusalDetails.passkeysElsewhere(url.origin) };
  return { id: url.hostname, origin: url.origin };
}
