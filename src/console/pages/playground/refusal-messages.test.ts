import { describe, expect, it } from "vitest";
import type { Progress, Refused, RunState } from "../../vectors/run-batch.ts";
import { missingReason } from "./missing-reason.ts";
import { messageAbout, refusalMessage, rowMessage, rowName } from "./refusal-messages.ts";

const none = { message: "", requestId: null, retryAfterMs: null, reason: null, provider: null, at: null, cost: null };
const words = (status: number, part: Partial<Refused> = {}) =>
  refusalMessage({ status, ...none, ...part }, { model: "acme/chat", workspaceId: "ws-1" }, "ops");

it.each<[number, Partial<Refused>, string | undefined, string?]>([
  // whose money ran out, with a link to where there is more
  [402, { reason: "key" }, "Out of credits", "keys"],
  [402, { reason: "credits" }, undefined, "credits/add"],
  [403, { reason: "workspace_budget" }, undefined, "workspaces/ws-1/budgets"],
  [402, { reason: "unpriced" }, "The model has no price"],
  // the playground's key, and the gateway's at a provider, are told from the session
  [403, { reason: "playground_key" }, "The playground’s key cannot be used", "keys"],
  [502, { reason: "credentials", provider: "Acme" }, "Acme refused the gateway", "providers"],
  // a model that makes no vectors is told from a routing that leaves nobody
  [404, {}, "acme/chat is not an embedding model", "models"],
  [404, { reason: "constraint_filtered" }, "No provider fits the request"],
  // the provider that is overloaded or late is named, and it is said where no answer came
  [529, { provider: "Acme" }, "Acme is overloaded"],
  [524, {}, "The provider did not answer in time"],
  [502, { provider: "Acme" }, "Acme failed"],
  [0, {}, "No answer from the gateway"],
  [0, { reason: "memory" }, "No room for the vectors"],
])("a call that is refused with %d, %j, says %s and links to %s", (status, part, title, link) => {
  const [titled, linked] = [
    title === undefined ? {} : { title },
    link === undefined ? {} : { link: { to: `/w/ops/${link}` } },
  ];
  expect(words(status, part)).toMatchObject({ ...titled, ...linked });
});

it("a refused call says what a retry would do, and what it came to", () => {
  expect(words(402, { provider: "Acme" }).advice).toContain("Acme");
  // it is said of one row, of many, and of a question: no number of rows is named
  const advice = "A retry would be refused too: change or remove what it names, and run again.";
  expect(words(400)).toMatchObject({ title: "The gateway refused the input", advice });
  for (const status of [400, 413, 422]) expect(words(status).advice).toMatch(/and run again\.$/);
  const charged =
    "$0.25 was charged for this call, the most that may be billed for it. A retry may cost as much again.";
  expect(words(524, { cost: 0.25 })).toEqual({ title: "The provider did not answer in time", advice: charged });
  expect(words(529, { cost: 0.25 }).advice).toContain("$0.25 was charged");
  expect(words(524).advice).toBe("It may bill this call, and a retry as well.");
});

describe("a refused row", () => {
  const tooLong = "has 400 tokens: shorten it, or send truncate: true";
  it.each([
    [`input.3 ${tooLong}`, "Row 7 has 400 tokens: shorten it, or have it cut at the end"],
    ["input must not be empty", "Row 7 must not be empty"],
    ["input.0.content.1.image_url.url must be an image", "Row 7 must be an image"],
    ["The input.3 of Acme is bad", "The input.3 of Acme is bad"],
    ["inputs are too many", "inputs are too many"],
  ])("is named by its number in the input: %s", (message, said) => expect(messageAbout("Row 7", message)).toBe(said));

  const shown = [1, 2, 3, 905].map((number) => ({
    text: "a",
    group: "",
    role: "document" as const,
    number,
    source: 0,
  }));
  it("of a text alone is the text", () => {
    expect(rowMessage({ mode: "text", shown }, 0, "input has 400 tokens")).toBe("The text has 400 tokens");
    expect(rowMessage({ mode: "batch", shown }, 0, "input.9 has 400 tokens")).toBe("Row 1 has 400 tokens");
  });

  it.each([
    [1_904, " parcel 903\n was left at door 7 ", "row 1,904, “parcel 903 was left at door 7”"],
    [2, "🚢".repeat(50), `row 2, “${"🚢".repeat(40)}…”`],
    [3, " ", "row 3"],
  ])("is called by its number and text: %d, %s", (number, text, name) => expect(rowName({ number, text })).toBe(name));

  it.each<[RunState, number, string]>([
    ["running", 3, "It has no vector: “Row 905 has 400 tokens: shorten it, or have it cut at the end”"],
    ["paused", 4, "Its vector has not come yet."],
    ["cancelled", 4, "It has no vector."],
  ])("without a vector was refused, is awaited or was left out: %s", (state, row, reason) => {
    const failures: Progress["failures"] = [[3, { ...none, status: 400, message: `input.1 ${tooLong}`, at: 0 }]];
    const progress = { state, failures } as unknown as Progress;
    expect(missingReason({ mode: "batch", shown, progress }, row)).toBe(reason);
  });
});
