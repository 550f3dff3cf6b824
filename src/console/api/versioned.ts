import { queryOptions, useQueryClient } from "@tanstack/react-query";
import type { ApiEndpoint } from "#contract/api.ts";
import type { Input, Output } from "#contract/endpoint.ts";
import { refreshAfter } from "./action.ts";
import { callPath, callTagged, ifMatch, type Tagged } from "./call.ts";
import { ApiError } from "./errors.ts";
import { queryKey } from "./query.ts";

/** A record with the version of its settings, which a change names so that nobody else's change is lost. */
export interface Versioned<Data> {
  record: Data;
  etag: string | null;
}

/** What an endpoint answers with, for one record. */
export type OneRecord<E extends ApiEndpoint> = Output<E> extends { data: infer Data } ? Data : never;

/** A read for a form, which begins with what is stored now and notices what somebody else changes meanwhile. */
export function versioned<E extends ApiEndpoint>(endpoint: E, input: Input<E>) {
  return queryOptions<Versioned<OneRecord<E>>>({
    queryKey: [...queryKey(endpoint, input), "version"],
    queryFn: async ({ signal }) => ofAnswer<E>(await callTagged(endpoint, input, { signal })),
    staleTime: 0,
    gcTime: 0,
    refetchInterval: 15_000,
    meta: { path: callPath(endpoint, input) },
  });
}

function ofAnswer<E extends ApiEndpoint>({ answer, etag }: Tagged<Output<E>>): Versioned<OneRecord<E>> {
  return { record: (answer as { data: OneRecord<E> }).data, etag };
}

/**
 * Makes a change if the record is as it was at `etag`; where it is not, reads it again before the refusal is shown.
 * What was sent stays in no cache: it may hold a secret.
 */
export function useVersionedChange<E extends ApiEndpoint>(endpoint: E, read: { queryKey: readonly unknown[] }) {
  const client = useQueryClient();
  return async (input: Input<E>, etag: string | null): Promise<Versioned<OneRecord<E>>> => {
    try {
      const saved = ofAnswer<E>(await callTagged(endpoint, input, { headers: ifMatch(etag) }));
      void refreshAfter(client, endpoint);
      return saved;
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) await client.refetchQueries(read as never);
      throw error;
    }
  };
}
