import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { setNonce } from "get-nonce";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createClient } from "./api/client.ts";
import { cameSignedOut, followTabs, loadSession } from "./api/sign-in.ts";
import { hasSignInToken, takeSignInToken } from "./api/sign-in-link.ts";
import { everyWorkspace } from "./api/workspaces.ts";
import { hasUnsavedForm } from "./form/leave-guard.ts";
import { createConsoleRouter } from "./routes.tsx";
import "./styles.css";

takeSignInToken();

// dialogs lock the page's scroll with a style element, which the content security policy lets in by this nonce only
const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content;
if (nonce) setNonce(nonce);

const client = createClient();
followTabs(client, hasUnsavedForm);
const router = createConsoleRouter(client);

// who is signed in, the page's code, and the workspaces, by which addresses are read: public/start.js asked for most
if (!hasSignInToken()) loadSession().catch(() => undefined);
if (!hasSignInToken() && !cameSignedOut()) void client.prefetchQuery(everyWorkspace);
for (const route of router.getMatchedRoutes(router.latestLocation.pathname)[0]) {
  router.loadRouteChunk(route)?.catch(() => undefined);
}

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no element with the id root");
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
