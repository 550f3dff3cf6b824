import { expect } from "vitest";
import * as z from "zod/mini";
import type { ErrorForm } from "#contract/endpoint.ts";
import { errorStatus, type ErrorType, publicErrorType } from "#contract/errors.ts";
import { MessagesErrorEnvelope, messagesErrorStatus, messagesErrorType } from "#contract/messages.ts";
import { expectError } from "./expect-error.ts";
import { expectScimError } from "./expect-scim.ts";
import type { Answer } from "./gateway.ts";

/** Expects the whole error in the form of the operation that refused, and that its message says `message`. */
export function expectRefusal(answer: Answer, form: ErrorForm | "scim", type: ErrorType, message: RegExp): void {
  if (form === "public") return expectError(answer, type, message);
  if (form === "scim") {
    expectScimError(answer, errorStatus[type], errorStatus[type] === 400 ? "invalidSyntax" : undefined);
    return expect(answer.json.detail).toMatch(message);
  }
  if (form === "oauth") {
    expect([answer.status, answer.json]).toEqual([
      errorStatus[type],
      { error: "invalid_request", error_description: expect.stringMatching(message) as string },
    ]);
    return;
  }
  expect(answer.text).toSatisfy(() => answer.status === messagesErrorStatus(type));
  const { error, request_id } = z.parse(MessagesErrorEnvelope, answer.json);
  expect(error).toMatchObject({ type: messagesErrorType(type), error_type: publicErrorType(type) });
  expect(error.message).toMatch(message);
  expect([request_id, answer.headers.get("request-id")]).toEqual(Array(2).fill(answer.headers.get("x-request-id")));
}
