import { expect, it } from "vitest";
import { attemptsOf } from "./attempts.ts";

const attempt = (name: string, status: number | null) => ({
  provider_name: name,
  model_permaslug: "embed",
  endpoint_id: "e",
  status,
  latency: 12,
  is_byok: false,
});

it("names all who answered a run's calls with how many, and each call that took more than one try", () => {
  const first = { provider_name: "Alpha", provider_responses: [attempt("a", 200)] };
  const second = {
    provider_name: "Beta",
    provider_responses: [attempt("a", 503), attempt("c", null), attempt("b", 200)],
  };
  const third = { provider_name: "Beta", provider_responses: null };
  expect(attemptsOf([first, second, third])).toEqual({
    answered: [
      { name: "Beta", calls: 2 },
      { name: "Alpha", calls: 1 },
    ],
    retried: [{ call: 2, attempts: [attempt("Alpha", 503), attempt("c", null), attempt("Beta", 200)] }],
    unanswered: 0,
  });
  expect(attemptsOf([])).toEqual({ answered: [], retried: [], unanswered: 0 });
});

it("adds up what was charged for attempts that had no answer", () => {
  const silent = { ...attempt("a", null), cost: 0.25 };
  const record = { provider_name: "Beta", provider_responses: [silent, silent, attempt("b", 200)] };
  expect(attemptsOf([record, record]).unanswered).toBe(1);
});
