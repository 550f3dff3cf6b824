import type { Selectable } from "kysely";
import { isConversation } from "#contract/api-type.ts";
import { blankEvent, type ForwardedEvent } from "#contract/forwarded-event.ts";
import { toUsd } from "#contract/money.ts";
import type { KeptBody } from "../bodies/body.ts";
import { columnList, type CopiedColumn, type EventCopies, type LedgerTable } from "../ledger/columns.ts";

/** What events are built from, apart from copied columns. */
const madeFrom = ["created_at", "cost", "byok_cost"] as const;

const copies = columnList.flatMap(({ name, event }) =>
  event === undefined ? [] : [{ name: name as CopiedColumn, event }],
);

type Json<T> = T extends Date ? string : T extends bigint ? number : T;

/** A ledger row as PostgreSQL writes it in JSON, with its key's name, and its provider's name, preset and address. */
export type LedgerJson = {
  [C in CopiedColumn | (typeof madeFrom)[number]]: Json<Selectable<LedgerTable>[C]>;
} & {
  /** its position in the ledger */
  xact: string;
  seq: number;
  key_name: string | null;
  provider_name: string | null;
  provider_preset: string | null;
  provider_url: string | null;
};

/** What {@link LedgerJson} is read from: `l` is the ledger, `k` its key, `p` its provider. */
export const eventColumns = columnsWith({});

/** The same without what neither rules nor sampling read: thousands of calls are decided on at once. */
export const decidingColumns = columnsWith({
  trace: "jsonb_build_object('trace_id', l.trace -> 'trace_id')",
  http_referer: "null",
  app_title: "null",
  user_agent: "null",
});

function columnsWith(instead: { readonly [C in CopiedColumn]?: string }): string {
  return [
    "l.xact::text as xact, l.seq, k.name as key_name, p.name as provider_name",
    "p.preset as provider_preset, p.base_url as provider_url",
    ...copies.map(({ name }) => (name in instead ? `${instead[name]} as ${name}` : `l.${name}`)),
    ...madeFrom.map((name) => `l.${name}`),
  ].join(", ");
}

export const eventTables =
  "ledger l left join api_keys k on k.hash = l.key_hash left join providers p on p.slug = l.provider";

export function eventOf(row: LedgerJson, body: KeptBody | null): ForwardedEvent {
  const startedAt = new Date(row.created_at);
  const event = {
    ...blankCopies,
    kind: isConversation(row.api_type) ? "chat" : row.api_type,
    startedAt,
    endedAt: new Date(startedAt.getTime() + row.duration_ms),
    keyName: row.key_name,
    providerName: row.provider_name,
    providerPreset: row.provider_preset,
    server: serverOf(row.provider_url),
    cost: toUsd(BigInt(row.cost)),
    byokCost: toUsd(BigInt(row.byok_cost)),
    input: body?.input ?? null,
    output: body?.output ?? null,
  } as const;
  const members: Record<string, unknown> = event;
  for (const { name, event: member } of copies) members[member] = row[name];
  return event;
}

const plainPorts: Readonly<Record<string, number>> = { "https:": 443, "http:": 80 };

function serverOf(address: string | null): ForwardedEvent["server"] {
  const url = address === null ? null : URL.parse(address);
  if (url === null || url.hostname === "") return null;
  return { address: url.hostname, port: Number(url.port) || (plainPorts[url.protocol] ?? 443) };
}

/** Only the columns that are declared as copies are copied; the rest must be built here, or this does not compile. */
const blankCopies: EventCopies = blankEvent;
