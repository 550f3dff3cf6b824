import { describe, expect, it } from "vitest";
import { api } from "#contract/api.ts";
import { createEmbeddings } from "#contract/embeddings.ts";
import type { Endpoint } from "#contract/endpoint.ts";
import { createSession, deleteSession } from "#contract/session.ts";
import { staleAfter } from "./stale.ts";

/** Signing in and out empty or fill every cache at once, and a model call changes nothing that an administrator set. */
const changesNothingListed = new Set<string>([createSession.name, deleteSession.name, createEmbeddings.name]);
const endpoints: readonly Endpoint[] = Object.values(api);
const changes = endpoints.filter((endpoint) => endpoint.method !== "GET" && !changesNothingListed.has(endpoint.name));

describe("what a change makes stale", () => {
  it.each(changes.map((endpoint) => [endpoint.name, endpoint] as const))(
    "%s has its row, of reads only",
    (_, endpoint) => {
      const reads = staleAfter(endpoint);
      expect(reads.length).toBeGreaterThan(0);
      expect(reads.filter((read) => read.method !== "GET")).toEqual([]);
    },
  );

  it("an endpoint without a row is an error that says where to add it", () => {
    expect(() => staleAfter({ ...createSession, name: "unheardOf" })).toThrow(
      "unheardOf has no row in the table of api/stale.ts",
    );
  });
});
