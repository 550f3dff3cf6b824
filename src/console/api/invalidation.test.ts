import { describe, expect, it } from "vitest";
import { api, type ApiEndpoint } from "#contract/api.ts";
import { staleAfter, staleReads } from "./invalidation.ts";

/** Signing in and out empty or fill every cache at once, and a model call changes nothing that an administrator set. */
const changesNothingListed =
  "Session Embeddings Rerank Chat Messages Responses Speech Transcriptions Images Videos".split(" ");
/** Questions that are POST because their input is a secret or too long for an address: asking changes nothing. */
const questions = `testDestination previewDestination tryDestination tryContentFilters estimateDestination
  sampleSessions testProviderSettings testByokKey queryAnalytics`.split(/\s+/);
const endpoints: readonly ApiEndpoint[] = Object.values(api);
const changes = endpoints.filter(
  ({ method, tag, name }) => method !== "GET" && !changesNothingListed.includes(tag) && !questions.includes(name),
);
const reads = new Set(endpoints.filter((endpoint) => endpoint.method === "GET").map((endpoint) => endpoint.name));

describe("what a change makes stale", () => {
  it.each(changes.map((endpoint) => [endpoint.name, endpoint] as const))("%s has its row", (_, endpoint) =>
    expect(staleAfter(endpoint).length).toBeGreaterThan(0),
  );

  it.each(Object.entries(staleReads))("the row of %s names reads that exist, for a change that exists", (name, row) => {
    expect(changes.map((endpoint) => endpoint.name)).toContain(name);
    expect(row?.filter((read) => !reads.has(read))).toEqual([]);
  });

  it("an endpoint without a row is an error that says where to add it", () =>
    expect(() => staleAfter({ name: "listKeys" })).toThrow("listKeys has no row in the table of api/invalidation.ts"));
});
