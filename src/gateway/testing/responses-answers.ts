import { fixture, fixtureEvents } from "./fixture.ts";
import { answersOf } from "./scripted-vendor.ts";

/**
 * Answers of a vendor that speaks OpenAI's responses, as its documentation has them, with white space, members and events
 * that no reader knows: what is passed on must not change them.
 * https://platform.openai.com/docs/api-reference/responses/create, /object, and /responses-streaming in its order
 */
export const wholeResponse = fixture("response.json").trimEnd();
export const streamedResponse = fixtureEvents("response.sse");

/** What OpenAI adds to its answers, and what is no concern of the caller. */
export const vendorHeaders = {
  "openai-processing-ms": "312",
  "openai-version": "2020-10-01",
  "openai-organization": "org-1",
  "x-internal": "no",
};

export const { answering, answeringWhole } = answersOf(vendorHeaders, wholeResponse);
