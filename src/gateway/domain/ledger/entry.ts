import type { NanoUsd } from "#contract/money.ts";
import type { BodyToKeep } from "../bodies/store.ts";
import { type CallValues, columnList, type InitialValues } from "./columns.ts";
import type { Charge } from "./limits.ts";

/** A finished model call, as it is recorded. */
export interface LedgerEntry extends Omit<CallValues, "overrun"> {
  /** the call's bodies, where they are needed */
  body?: BodyToKeep | null;
}

/** A call's default values. */
export const initialValues = Object.fromEntries(
  columnList.flatMap(({ member, initial }) => (initial === undefined ? [] : [[member, initial]])),
) as InitialValues;

/** An entry whose charge is decided: how much of its cost the limits cover, and how much did not fit. */
export interface ChargedEntry {
  readonly entry: LedgerEntry;
  readonly own: NanoUsd;
  readonly byok: NanoUsd;
  readonly overrun: NanoUsd;
}

/** The most that a call can cost, nano-dollars: a million dollars. Counters can hold thousands of such calls. */
const mostCost: NanoUsd = 10n ** 15n;

/**
 * The entry with amounts that counters can hold. A provider's count beyond that is no longer taken as the provider's.
 */
export function countable(entry: LedgerEntry): LedgerEntry {
  const { cost, byokCost, saved, storedSaved } = entry;
  if (cost <= mostCost && byokCost <= mostCost && saved <= mostCost) return entry;
  const most = (amount: NanoUsd) => (amount < mostCost ? amount : mostCost);
  return {
    ...entry,
    cost: most(cost),
    byokCost: most(byokCost),
    saved: most(saved),
    storedSaved: most(storedSaved),
    meteredBy: "gateway",
  };
}

/**
 * The entry's charge for the counters. A call has one kind of provider key, apart from inputs served from the cache.
 */
export function chargeOf({ entry, own, byok, overrun }: ChargedEntry): Charge {
  return { own, byok, overrun: entry.byok ? 0n : overrun, byokOverrun: entry.byok ? overrun : 0n };
}

const written = columnList.flatMap(({ member, write }) => (write === undefined ? [] : [{ member, write }]));

/**
 * The entry as a row of the commit's JSON parameter, by the code's names. Null values, which are most, are omitted: an
 * absent member is read as null.
 */
export function rowOf({ entry, own, byok, overrun }: ChargedEntry): Record<string, unknown> {
  const row: Record<string, unknown> = { ...entry, cost: own, byokCost: byok, overrun, body: undefined };
  for (const { member, write } of written) {
    const value = row[member];
    row[member] = value == null ? undefined : write(value);
  }
  return row;
}

const texts = new WeakMap<ChargedEntry, string>();

/** The row as JSON; it is written once, for the journal and the commit. */
export function rowText(charged: ChargedEntry): string {
  const text = texts.get(charged) ?? JSON.stringify(rowOf(charged));
  texts.set(charged, text);
  return text;
}

const bareValues = Object.fromEntries(
  columnList.flatMap(({ member, bare }) => (bare === undefined ? [] : [[member, bare]])),
) as Partial<CallValues>;

const rowWith = (value: "initial" | "bare") =>
  Object.fromEntries(
    columnList.flatMap(({ member, write = (same) => same, [value]: given }) =>
      given === undefined ? [] : [[member, given === null ? undefined : write(given)]],
    ),
  );
const initialRow = rowWith("initial");
const bareTexts = rowWith("bare");

/** A row from the journal; the version that wrote it may not have known all columns. */
export const fullRow = (row: object) => ({ ...initialRow, ...row });

/** A row from the journal without text from callers and providers. */
export const bareRow = (row: object) => ({ ...row, ...bareTexts });

/**
 * The same call without text from callers and providers, for a store that rejects some of it: the charge must not be
 * lost.
 */
export function bareEntry({ body: _, ...entry }: LedgerEntry): LedgerEntry {
  return { ...entry, ...bareValues };
}
