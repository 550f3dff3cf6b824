import { describe, expect, it } from "vitest";
import { refusalMessage } from "./refusal-messages.ts";
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
    expect(advice).toBe("Change or remove what it names; you can use the other rows.");
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
