import type { ColumnType, Generated } from "kysely";

type Fixed<T> = ColumnType<T, T, never>;

/** A destination's position in the ledger, its forwarder, and its state. xid8 arrives as text. */
export interface ForwardingTable {
  destination_id: Fixed<string>;
  workspace_id: Fixed<string>;
  /** the last ledger position that is done */
  cursor_xact: string;
  cursor_seq: bigint;
  /** counts how often something other than the forwarder moved the cursor */
  epoch: Generated<number>;
  owner: string | null;
  owned_until: Date | null;
  attempt: Generated<number>;
  next_try_at: Date | null;
  failing_since: Date | null;
  last_success_at: Date | null;
  last_error: ColumnType<unknown, string | null, string | null>;
}

/** Delivery outcomes in one minute. `failed` counts attempts. */
export interface ForwardingMinutesTable {
  destination_id: Fixed<string>;
  minute: Fixed<Date>;
  delivered: bigint;
  failed: bigint;
  filtered: bigint;
  sampled_out: bigint;
  not_allowed: bigint;
  dead: bigint;
}

/** Failed attempts in one hour, by message. */
export interface ForwardingErrorsTable {
  destination_id: Fixed<string>;
  hour: Fixed<Date>;
  message: Fixed<string>;
  count: bigint;
  last_at: Date;
}

/** The settings that decide on the calls after (xact, seq), until the next row's position. */
export interface ForwardingSettingsTable {
  destination_id: Fixed<string>;
  xact: Fixed<string>;
  seq: Fixed<bigint>;
  settings: ColumnType<unknown, string, never>;
}

/** A call that a destination never accepted. */
export interface DeadLettersTable {
  destination_id: Fixed<string>;
  id: Fixed<string>;
  workspace_id: Fixed<string>;
  created_at: Fixed<Date>;
  died_at: Date;
  attempts: number;
  answer: ColumnType<unknown, string, string>;
  /** the bodies, sealed for their generation; null where there were none, or the destination does not take them */
  sealed: Fixed<string | null>;
  /** true: it is to be retried */
  replay: boolean;
}

/** Bodies that wait for destinations, by the group that they were committed in. */
export interface ForwardingBodiesTable {
  workspace_id: Fixed<string>;
  xact: ColumnType<string, never, never>;
  n: Fixed<number>;
  created_at: Fixed<Date>;
  bytes: Fixed<number>;
  sealed: Fixed<string>;
}

/** The tables of migrations 007 and 010. */
export interface ForwardingTables {
  forwarding: ForwardingTable;
  forwarding_bodies: ForwardingBodiesTable;
  forwarding_errors: ForwardingErrorsTable;
  forwarding_minutes: ForwardingMinutesTable;
  forwarding_settings: ForwardingSettingsTable;
  dead_letters: DeadLettersTable;
}
