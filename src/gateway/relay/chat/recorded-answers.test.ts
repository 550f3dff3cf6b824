import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exchange, type ExchangePartner } from "../../testing/exchange.ts";
import {
  answeringEvents,
  answeringModel,
  answeringJson,
  chatAnswers,
  cohereAnswers,
  geminiAnswers,
  messagesAnswers,
  responsesAnswers,
  type Said,
  type VendorAnswers,
} from "../../testing/dialect-answers.ts";
import type { CallerForm } from "../caller-form.ts";
import { messagesForm } from "../messages/messages-form.ts";
import { responsesForm } from "../responses/responses-form.ts";
import { chatForm } from "./chat-form.ts";
import { completionsForm } from "./completions-form.ts";

const messages = [{ role: "user", content: "Hello. ".repeat(40) }];
const forms: Readonly<Record<string, readonly [CallerForm, object]>> = {
  chat: [chatForm, { messages }],
  completions: [completionsForm, { prompt: "Hello. ".repeat(40) }],
  messages: [messagesForm, { messages }],
  responses: [responsesForm, { input: "Hello. ".repeat(40), max_output_tokens: 1_000 }],
};
const vendors: Readonly<Record<string, VendorAnswers>> = {
  chat: chatAnswers,
  messages: messagesAnswers,
  gemini: geminiAnswers,
  cohere: cohereAnswers,
};
const openai = { kind: "openai-compatible", preset: "openai", baseUrl: "https://api.openai.com/v1" } as const;

/** Each form at each vendor; at its own dialect the answer is passed on. */
const ways: readonly (readonly [string, string, VendorAnswers, ExchangePartner])[] = [
  ...Object.keys(forms).flatMap((form) =>
    Object.entries(vendors).map(([vendor, answers]) => [form, vendor, answers, { kind: answers.kind }] as const),
  ),
  ["responses", "responses", responsesAnswers, openai],
];

const text = fc.string({ unit: "grapheme", maxLength: 40 });
const base64 = fc.base64String({ minLength: 4, maxLength: 16 });
const input = fc.oneof(fc.constant({}), fc.dictionary(fc.constantFrom("a", "b"), text, { minKeys: 1 }));
const choice: fc.Arbitrary<Said> = fc.record({
  thought: text,
  text,
  refusal: fc.oneof(fc.constant(""), text),
  calls: fc.array(fc.record({ name: fc.constantFrom("look", "ask"), input }), { maxLength: 3 }),
  images: fc.array(base64, { maxLength: 2 }),
  isWeighed: fc.boolean(),
});

const cutting = (size: number) => (whole: string) =>
  Array.from({ length: Math.ceil(whole.length / size) }, (_, at) => whole.slice(at * size, (at + 1) * size));

const steered = { temperature: 0.5, max_tokens: 1_000 };

describe.each(ways)(
  "the record of a call in the form of %s, answered in the dialect of %s",
  (form, _, vendor, partner) => {
    const [callerForm, body] = forms[form] as readonly [CallerForm, object];
    const ask = async (stream: boolean, choices: readonly Said[], size: number) => {
      const answer = stream
        ? answeringEvents(vendor.stream(choices, cutting(size)))
        : answeringJson(vendor.whole(choices));
      const n = choices.length > 1 && form === "chat" ? { n: choices.length } : {};
      return await exchange(callerForm, { model: "acme/talk", stream, ...steered, ...body, ...n }, answer, partner);
    };

    it("is the same of a stream as of a whole answer", async () => {
      const several = form === "chat" ? 3 : 1;
      await fc.assert(
        fc.asyncProperty(
          fc.array(choice, { minLength: 1, maxLength: several }),
          fc.integer({ min: 1, max: 9 }),
          async (choices, size) => {
            const [whole, streamed] = [await ask(false, choices, size), await ask(true, choices, size)];
            expect(whole.refusal).toBeNull();
            expect(streamed.record?.output).toEqual(whole.record?.output);
            expect(streamed.record?.input).toEqual(whole.record?.input);
          },
        ),
        { numRuns: 12 },
      );
    });

    it("has the thought, the text and the call in members of their own", async () => {
      const calls = [{ name: "look", input: { at: "sea" } }];
      const said = { thought: "Hm, sea.", text: "I look.", refusal: "", calls, images: [], isWeighed: false };
      const { record, entry } = await ask(true, [said], 3);
      const message = {
        role: "assistant",
        content: "I look.",
        reasoning: expect.stringMatching(/^Hm, sea\./),
        tool_calls: [{ type: "function", function: { name: "look", arguments: '{"at":"sea"}' } }],
      };
      expect(record?.output).toMatchObject([{ message, finish_reason: "tool_calls" }]);
      expect(entry).toMatchObject({
        responseModel: vendor === cohereAnswers ? "upstream-talk" : answeringModel,
        parameters: steered,
        operation: form === "completions" ? "text_completion" : null,
      });
    });
  },
);
