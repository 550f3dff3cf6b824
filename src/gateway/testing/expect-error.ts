import { expect } from "vitest";
import { ErrorEnvelope, errorStatus, type ErrorType, publicErrorType } from "#contract/errors.ts";
import * as z from "zod/mini";
import type { Answer } from "./gateway.ts";

/** Expects the whole error envelope, and that the message says `message`. */
export function expectError(answer: Answer, type: ErrorType, message: string | RegExp): void {
  expect(answer.text).toSatisfy(() => answer.status === errorStatus[type]);
  const { error } = z.parse(ErrorEnvelope, answer.json);
  expect(error.code).toBe(answer.status);
  expect(error.message).toMatch(message);
  expect(error.metadata?.error_type).toBe(publicErrorType(type));
  expect(error.metadata?.request_id).toBe(answer.headers.get("x-request-id"));
}

/** Expects a 400 that names these members, in this order. */
export function expectIssues(answer: Answer, ...paths: string[]): void {
  expectError(answer, "invalid_request", /./);
  expect(answer.json.error.metadata.issues.map((issue: { path: string }) => issue.path)).toEqual(paths);
}
