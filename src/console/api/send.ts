import { useQueryClient } from "@tanstack/react-query";
import type { Endpoint, Input, Output } from "#contract/endpoint.ts";
import { refreshAfter } from "./action.ts";
import { call } from "./call.ts";
import type { CallArguments } from "./call.ts";

/**
 * One change whose body holds a secret. Unlike a mutation it leaves nothing of what was sent in a cache; what it makes
 * stale is read again all the same.
 */
export function useSend<E extends Endpoint>(endpoint: E): (input: Input<E>) => Promise<Output<E>> {
  const client = useQueryClient();
  return async (input) => {
    const answer = await call(endpoint, ...([input] as unknown as CallArguments<E>));
    void refreshAfter(client, endpoint);
    return answer;
  };
}
