import { describe, expect, it } from "vitest";
import { messageAbout, refusalMessage, rowMessage, rowName } from "./refusal-messages.ts";
import type { Refused } from "../../vectors/run-batch.ts";

const run = { model: "acme/chat", workspaceId: "ws-1" };
const words = (status: number, part: Partial<Refused> = {}) =>
  refusalMessage(
    {
      status,
      message: "",
      requestId: null,
      retryAfterMs: null,
      reason: null,
      provider: null,
      at: null,
      cost: null,
      ...part,
    },
    run,
    "ops",
  );

describe("a refused call", () => {
  it("says whose money ran out, and links to where there is more", () => {
    expect(words(402, { reason: "key" })).toMatchObject({ title: "Out of credits", link: { to: "/w/ops/keys" } });
    expect(words(402, { reason: "credits" }).link?.to).toBe("/w/ops/credits/add");
    expect(words(403, { reason: "workspace_budget" }).link?.to).toBe("/w/ops/workspaces/ws-1/budgets");
    expect(words(402, { reason: "unpriced" })).toMatchObject({ title: "The model has no price" });
    expect(words(402, { provider: "Acme" }).advice).toContain("Acme");
  });

  // it is said of one row, of many, and of a question
  it("names no number of rows where the input was refused", () => {
    const { title, advice } = words(400);
    expect(title).toBe("The gateway refused the input");
    expect(advice).toBe("A retry would be refused too: change or remove what it names, and run again.");
  });

  it("tells the playground's key, and the gateway's at a provider, from the session", () => {
    const key = words(403, { reason: "playground_key" });
    expect(key).toMatchObject({ title: "The playground’s key cannot be used", link: { to: "/w/ops/keys" } });
    expect(words(502, { reason: "credentials", provider: "Acme" })).toMatchObject({
      title: "Acme refused the gateway",
      link: { to: "/w/ops/providers" },
    });
  });

  it("tells a model that makes no vectors from a routing that leaves nobody", () => {
    expect(words(404)).toMatchObject({ title: "acme/chat is not an embedding model", link: { to: "/w/ops/models" } });
    expect(words(404, { reason: "constraint_filtered" }).title).toBe("No provider fits the request");
  });

  it("names the provider that is overloaded or late, and says where no answer came", () => {
    expect(words(529, { provider: "Acme" }).title).toBe("Acme is overloaded");
    expect(words(524).title).toBe("The provider did not answer in time");
    expect(words(502, { provider: "Acme" }).title).toBe("Acme failed");
    expect(words(0).title).toBe("No answer from the gateway");
    expect(words(0, { reason: "memory" }).title).toBe("No room for the vectors");
  });

  it("says what a call without an answer came to, and that a retry may cost as much", () => {
    expect(words(524, { cost: 0.25 })).toEqual({
      title: "The provider did not answer in time",
      advice: "$0.25 was charged for this call, the most that may be billed for it. A retry may cost as much again.",
    });
    expect(words(529, { cost: 0.25 }).advice).toContain("$0.25 was charged");
    expect(words(524).advice).toBe("It may bill this call, and a retry as well.");
  });
});

describe("a refused row", () => {
  it.each([
    [
      "input.3 has 400 tokens: shorten it, or send truncate: true",
      "Row 7 has 400 tokens: shorten it, or have it cut at the end",
    ],
    ["input must not be empty", "Row 7 must not be empty"],
    ["input.0.content.1.image_url.url must be an image", "Row 7 must be an image"],
    ["The input.3 of Acme is bad", "The input.3 of Acme is bad"],
    ["inputs are too many", "inputs are too many"],
  ])("is named by its number in the input, not in the call: %s", (message, said) =>
    expect(messageAbout("Row 7", message)).toBe(said),
  );

  it("of a text alone is the text", () => {
    const shown = [{ text: "a", group: "", role: "document" as const, number: 1, source: 0 }];
    expect(rowMessage({ mode: "text", shown }, 0, "input has 400 tokens")).toBe("The text has 400 tokens");
    expect(rowMessage({ mode: "batch", shown }, 0, "input.9 has 400 tokens")).toBe("Row 1 has 400 tokens");
  });

  it("is called by its number and how its text begins", () => {
    expect(rowName({ number: 1_904, text: " parcel 903\n was left at door 7 " })).toBe(
      "row 1,904, “parcel 903 was left at door 7”",
    );
    expect(rowName({ number: 2, text: "🚢".repeat(50) })).toBe(`row 2, “${"🚢".repeat(40)}…”`);
    expect(rowName({ number: 3, text: " " })).toBe("row 3");
  });

  it("that a retry cannot change is to be changed", () => {
    for (const status of [400, 413, 422]) expect(words(status).advice).toMatch(/and run again\.$/);
  });
});
