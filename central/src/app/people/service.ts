/** Tells anybody what this service offers: of who asks, only the address that was called counts. */

import { lengths, type OperationName, type Service } from "@tijolo/protocol";
import manifest from "../../../package.json" with { type: "json" };
import { arePasskeysAvailable } from "./passkeys/relying-party.ts";
import type { PeopleContext } from "./people-context.ts";

interface ServiceContext extends Pick<PeopleContext, "panel" | "mail" | "plans" | "limits"> {
  /** Returns the address of a site with this subdomain. */
  siteUrl(subdomain: string): string;
  /** Address of sites over HTTP; null: there is none. */
  plainSiteUrlPattern: string | null;
}

/** `panelBuild` is null while no panel is served; `host` is the request's header `Host`. */
interface ServiceCall {
  panelBuild: string | null;
  host: string | undefined;
}

/** Returns the description of the service, as it is for those who call it at `host`. */
export function getService(app: ServiceContext, { panelBuild, host }: ServiceCall): Service {
  const { variablesBytes, keysPerAccount, uploadEveryMs, uploadsAtOnce } = app.limits;
  const { logOpenEveryMs, logStreamsAtOnce } = app.limits;
  return {
    signUp: app.panel.signUp,
    hasMail: app.mail.isConfigured,
    siteUrlPattern: app.siteUrl("*"),
    plainSiteUrlPattern: app.plainSiteUrlPattern,
    build: { central: manifest.version, panel: panelBuild },
    plans: [...app.plans.values()],
    limits: {
      variablesBytes,
      keysPerAccount,
      uploadEveryMs,
      uploadsAtOnce,
      logOpenEveryMs,
      logStreamsAtOnce,
    },
    lengths: { ...lengths },
    featuresOff: featuresOff(app, host),
  };
}

/** Returns the operations that would be refused to everybody, by what the operator has set up. */
function featuresOff(app: ServiceContext, host: string | undefined): OperationName[] {
  const { panel, mail } = app;
  const off: OperationName[] = [];
  if (panel.signUp === "closed") off.push("signUp");
  if (!mail.isConfigured) off.push("requestPasswordReset", "notMeByLink");
  if (!arePasskeysAvailable(app, host))
    off.push(
      "beginPasskeySignIn",
      "signInPasskey",
      "beginPasskeyConfirmation",
      "confirmSessionByPasskey",
      "beginPasskey",
      "addPasskey",
    );
  return off;
}
