import { QueryClient } from "@tanstack/react-query";
import { missed } from "./call.ts";
import { ApiError, NetworkError } from "./errors.ts";
import { reachability } from "./connectivity.ts";
import { session } from "./session.ts";
import { everyWorkspace } from "./workspaces.ts";

/** How often a read is retried after `error`: never when retrying can't help. */
export function shouldRetry(failureCount: number, error: unknown): boolean {
  if (error instanceof NetworkError) return failureCount < 1 && reachability.get().reachable;
  if (!(error instanceof ApiError)) return false;
  if (error.status === 429) return failureCount < 4;
  return error.status >= 500 && failureCount < 2;
}

/** Milliseconds until the next try: what the server asked for, else 1, 2, 4, 8 s with up to a fifth of jitter. */
export function retryDelay(failureCount: number, error: unknown, random: () => number = Math.random): number {
  if (error instanceof ApiError && error.retryAfter !== undefined) return error.retryAfter * 1_000;
  return Math.min(8_000, 1_000 * 2 ** failureCount) * (1 + random() / 5);
}

/** Reads everything again, but for lists whose page announces what is new: no row moves by itself. */
function readAgain(client: QueryClient): void {
  void client.invalidateQueries({
    predicate: ({ meta, state }) => meta?.["announcesNew"] !== true || state.data === undefined,
  });
}

/**
 * `networkMode: "always"`: the default would hold calls back while the browser thinks it is offline, and replay changes
 * later, which would lose a new key's plaintext.
 */
export function createClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        networkMode: "always",
        staleTime: 15_000,
        retry: shouldRetry,
        retryDelay: (failureCount, error) => retryDelay(failureCount, error),
        refetchOnReconnect: false,
      },
      mutations: { networkMode: "always", retry: false },
    },
  });
  reachability.watch(() => {
    if (reachability.get().reachable) readAgain(client);
  });
  missed.watch(() => void client.refetchQueries({ queryKey: everyWorkspace.queryKey, type: "active" }));
  let before = session.get().state;
  session.watch(() => {
    const { state } = session.get();
    // refetch what was refused while signed out
    if (before === "ended" && state === "signed-in") readAgain(client);
    before = state;
  });
  return client;
}
