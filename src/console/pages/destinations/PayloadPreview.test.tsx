import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { newDraft } from "./draft.ts";
import { PayloadPreview, type Preview } from "./PayloadPreview.tsx";
import type { DebouncedCall } from "./use-debounced-call.ts";

const preview: Preview = {
  generation_id: "gen-1",
  real: true,
  outcome: "forwarded",
  rule: null,
  requests: [{ method: "POST", url: "https://sink.example.com/", headers: {}, body: '{"model":"acme/talk"}' }],
  removed: [{ member: "input", bytes: 40, by: "privacy_mode" }],
  example_bodies: false,
  size: null,
};

function shown(asked: Partial<DebouncedCall<{ data: Preview }>>, missing: string | null = null): string {
  const call = { data: { data: preview }, isStale: false, error: null, pending: false, again: () => undefined };
  const rule = { field: "model", operator: "equals", value: missing === null ? "acme/talk" : "" };
  const draft = { ...newDraft("webhook"), filter_rules: { groups: [{ rules: [rule] }] } };
  const form = { incomplete: false, onNext: undefined, before: undefined, form: "edited" } as const;
  return renderToStaticMarkup(
    <PayloadPreview asked={{ ...call, ...asked }} missing={missing} draft={draft} {...form} />,
  );
}

const claim = "as your unsaved changes would send it";

it("what leaves is said to be of the changes only while it is", () => {
  expect(shown({})).toContain(claim);
  expect(shown({})).toContain("rule 1 kept it");
  for (const asked of [{ isStale: true }, { isStale: true, error: new Error("no answer") }]) {
    expect(shown(asked)).not.toContain(claim);
  }
  expect(shown({ isStale: true, error: new Error("no answer") })).toContain("Not up to date");
});

it("what leaves names what has to be finished before it says whether the call would be sent", () => {
  const html = shown({}, "finish rule 1");
  expect(html).toContain("Whether it would be sent is not known: finish rule 1");
  expect(html).not.toContain("This call would be sent");
  expect(html).toContain("leaves if it is sent");
  expect(html).not.toContain("kept it");
});
