import { expect } from "vitest";
import { scimSchemas, type ScimType } from "#contract/scim-protocol.ts";
import { Refusal } from "../domain/refusal.ts";
import type { Answer } from "./gateway.ts";

/** The kind of error that a SCIM client is told. */
export function scimTypeOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    if (error instanceof Refusal) return error.details["scimType"];
    throw error;
  }
  return "no refusal";
}

/** Expects the whole of a SCIM error. */
export function expectScimError(answer: Answer, status: number, scimType?: ScimType): void {
  expect(answer.text).toSatisfy(() => answer.status === status);
  expect(answer.headers.get("content-type")).toMatch(/^application\/scim\+json/);
  expect(answer.json).toEqual({
    schemas: [scimSchemas.error],
    status: String(status),
    ...(scimType === undefined ? {} : { scimType }),
    detail: expect.stringMatching(/\w/) as string,
  });
}
