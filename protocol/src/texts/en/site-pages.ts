import type { sitePages as pt } from "../pt/site-pages.ts";

export const sitePages: typeof pt = {
  site_starting: {
    title: "The site is starting…",
    text: "It does not answer yet. This page reloads by itself.",
  },
  site_installing: {
    title: "This site is being installed",
    text: "The code has arrived and its dependencies are being installed. This page reloads by itself.",
  },
  site_stopped: {
    title: "This site is stopped",
    text: "Its owner can start it in the panel or with tijolo start.",
  },
  site_maintenance: {
    title: "This site is under maintenance",
    text: "It will be back soon.",
  },
  site_error: {
    title: "This site has an error",
    text: "It could not come up. If it is yours, see its logs in the panel or with tijolo logs.",
  },
  site_crash_loop: {
    title: "This site keeps crashing",
    text: "It crashed several times in a row and stopped trying. If it is yours, see its logs in the panel or with tijolo logs.",
  },
  site_not_found: {
    title: "There is no site here",
    text: "Check the address: no project uses this name.",
  },
  file_not_found: {
    title: "Page not found",
    text: "The site exists, but it has no such page.",
  },
  host_unreachable: {
    title: "The machine of this site cannot be reached",
    text: "The fault is on our side. This page tries again by itself.",
  },
  overloaded: {
    title: "This site has too many visitors right now",
    text: "Try again in a few seconds.",
  },
  app_not_listening: {
    title: "The site runs, but nothing answers on its port",
    text: "If it is yours: the program must listen on 0.0.0.0 (not 127.0.0.1), on port {port}, which is also in the variable PORT.",
  },
  app_bad_response: {
    title: "The site gave an invalid answer",
    text: "The program closed the connection or did not speak HTTP. If it is yours, see its logs.",
  },
  app_timeout: {
    title: "The site took too long",
    text: "The program did not answer in time. Try again; if it is yours, see its logs.",
  },
  bad_request: {
    title: "Bad request",
    text: "The browser or program sent a request that cannot be understood.",
  },
  headers_too_large: {
    title: "Headers too large",
    text: "Clear the cookies of this site and try again.",
  },
};
