import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { QueryClient, UseMutationOptions } from "@tanstack/react-query";
import type { Endpoint, Input, Output } from "#contract/endpoint.ts";
import { call } from "./call.ts";
import type { CallArguments } from "./call.ts";
import { staleAfter } from "./stale.ts";

type ActionOptions<E extends Endpoint, Context> = Omit<
  UseMutationOptions<Output<E>, Error, Input<E>, Context>,
  "mutationFn" | "mutationKey" | "retry" | "networkMode"
>;

/**
 * One change. The caches that it makes stale are refreshed before `onSuccess` is told (see stale.ts).
 * Not for the creation or rotation of a key: what a mutation answers stays in a cache.
 */
export function useAction<E extends Endpoint, Context = unknown>(endpoint: E, options: ActionOptions<E, Context> = {}) {
  const client = useQueryClient();
  const { onSuccess, ...rest } = options;
  return useMutation<Output<E>, Error, Input<E>, Context>({
    ...rest,
    mutationKey: [endpoint.name],
    mutationFn: (input) => call(endpoint, ...([input] as unknown as CallArguments<E>)),
    onSuccess: async (...result) => {
      void refreshAfter(client, endpoint);
      await onSuccess?.(...result);
    },
  });
}

/** Marks as stale, and reads again where shown, everything that a successful call of `endpoint` changes. */
export async function refreshAfter(client: QueryClient, endpoint: Endpoint): Promise<void> {
  await Promise.all(staleAfter(endpoint).map((read) => client.invalidateQueries({ queryKey: [read] })));
}
