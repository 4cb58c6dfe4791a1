/** Where the panel begins: preferences, router, and what all pages share. */

import "./design/design.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queryClient } from "./api/query-client.ts";
import { reloadForMissingChunk } from "./api/new-build.ts";
import { applyPreferences, followPreferences } from "./preferences/preferences.ts";
import { router } from "./router.tsx";
import { Csp } from "./ui/csp.tsx";

applyPreferences();
followPreferences();
reloadForMissingChunk();

const place = document.getElementById("panel");
if (place === null) throw new Error("index.html has no place for the panel");

createRoot(place).render(
  <StrictMode>
    <Csp>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </Csp>
  </StrictMode>,
);
