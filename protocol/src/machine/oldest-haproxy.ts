/** Oldest version of HAProxy that the gateway's configuration is written for; the installer needs it as well. */
export const oldestHaproxy = "3.0";
