import { useMutation, useQueryClient, type QueryClient, type UseMutationOptions } from "@tanstack/react-query";
import type { ApiEndpoint, EndpointName } from "#contract/api.ts";
import type { Endpoint, Input, Output } from "#contract/endpoint.ts";
import { call } from "./call.ts";
import { useRequestToken } from "./request-token.ts";
import { staleAfter } from "./invalidation.ts";

type ActionOptions<E extends ApiEndpoint, Context> = Omit<
  UseMutationOptions<Output<E>, Error, Input<E>, Context>,
  "mutationFn" | "mutationKey" | "retry" | "networkMode"
>;

/**
 * One change. Where the endpoint takes an Idempotency-Key, the same change sent again after a lost answer is made once.
 * The caches that it makes stale are refreshed before `onSuccess` is called (see invalidation.ts).
 * Not for creating or rotating a key: a mutation's result stays in a cache.
 */
export function useAction<E extends ApiEndpoint, Context = unknown>(
  endpoint: E,
  options: ActionOptions<E, Context> = {},
) {
  const client = useQueryClient();
  const { onSuccess, ...rest } = options;
  const { once } = useRequestToken();
  const isOnce = (endpoint as Endpoint).headers.includes("Idempotency-Key");
  return useMutation<Output<E>, Error, Input<E>, Context>({
    ...rest,
    mutationKey: [endpoint.name],
    mutationFn: (input) =>
      isOnce ? once(input, (headers) => call(endpoint, input, { headers })) : call(endpoint, input),
    onSuccess: async (...result) => await concluded(client, endpoint, () => onSuccess?.(...result)),
  });
}

/** What follows a change that was made: what it makes stale is, before `then` is called. */
export async function concluded(client: QueryClient, endpoint: ApiEndpoint, then: () => unknown): Promise<void> {
  void refreshAfter(client, endpoint);
  await then();
}

/** Marks as stale, and refetches where shown, everything that a successful call of `endpoint` changes. */
export async function refreshAfter(client: QueryClient, endpoint: ApiEndpoint): Promise<void> {
  await Promise.all(staleAfter(endpoint).map((read) => readAgain(client, read)));
}

/**
 * Marks a read's results as stale, and refetches them where shown. A first read that is still in flight may have been
 * answered before the change: invalidation does not stop it, so it is restarted.
 */
export async function readAgain(client: QueryClient, read: EndpointName): Promise<void> {
  void client.cancelQueries({ queryKey: [read], predicate: ({ state }) => state.data === undefined });
  await client.invalidateQueries({ queryKey: [read] });
}
