import { scimBounds } from "#contract/scim-protocol.ts";
import type { Comparison } from "./scim-path.ts";

/** Which resources a directory asks for. */
export interface ScimPage {
  readonly filter: readonly Comparison[];
  /** 1 is the first */
  readonly startIndex: number;
  readonly count: number;
}

/** RFC 7644 §3.4.2.4: what is below the first is the first, and a negative count is none. */
export function scimPage(filter: readonly Comparison[], startIndex: number, count: number): ScimPage {
  return {
    filter,
    startIndex: Math.min(Math.max(startIndex, 1), 1_000_000),
    count: Math.min(Math.max(count, 0), scimBounds.page),
  };
}

export interface ScimList<T> {
  readonly total: number;
  readonly startIndex: number;
  readonly found: readonly T[];
}
