import { fixture, fixtureEvents } from "./fixture.ts";
import { answersOf } from "./scripted-vendor.ts";

/**
 * Answers of a vendor that speaks Anthropic's dialect, as its documentation has them, with white space, members and
 * events that no reader knows: what is passed on must not change them.
 * https://docs.anthropic.com/en/api/messages, /build-with-claude/extended-thinking, /prompt-caching and /streaming
 */
export const wholeMessage = fixture("message.json").trimEnd();
export const streamedMessage = fixtureEvents("message.sse");

/** What Anthropic adds to its answers, and what is no concern of the caller. */
export const vendorHeaders = {
  "request-id": "req_018EeWyXxfu5pfWkrYcMdjWG",
  "anthropic-ratelimit-requests-remaining": "999",
  "anthropic-organization-id": "org-1",
  "x-internal": "no",
};

export const { answering, answeringWhole } = answersOf(vendorHeaders, wholeMessage);
