import type { panelPages as pt } from "../pt/panel-pages.ts";

export const panelPages: typeof pt = {
  preparing: {
    language: "en",
    title: "The panel is being prepared",
    text: "It takes a few seconds, and this page opens by itself.",
    forOperators: "If it takes longer than a minute, the terminal of npm start says why.",
  },
};
