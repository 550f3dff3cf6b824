import { useQueryClient } from "@tanstack/react-query";
import type { ApiEndpoint } from "#contract/api.ts";
import type { Input, Output } from "#contract/endpoint.ts";
import { refreshAfter } from "./action.ts";
import { call } from "./call.ts";

/**
 * One change whose body contains a secret. Unlike a mutation it leaves nothing that was sent in a cache; it still
 * refetches what it makes stale.
 */
export function useSecretAction<E extends ApiEndpoint>(endpoint: E): (input: Input<E>) => Promise<Output<E>> {
  const client = useQueryClient();
  return async (input) => {
    const answer = await call(endpoint, input);
    void refreshAfter(client, endpoint);
    return answer;
  };
}
