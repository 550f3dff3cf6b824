import { useState, type ReactNode } from "react";
import type { Output } from "#contract/endpoint.ts";
import type { previewDestination } from "#contract/forwarding.ts";
import { errorText } from "../../api/error-messages.ts";
import { formatBytes } from "../../format.ts";
import { Button } from "../../ui/Button.tsx";
import { LinkButton } from "../../ui/LinkText.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Status } from "../../ui/Status.tsx";
import { cx } from "../../ui/cx.ts";
import { Disclosure } from "../../ui/Disclosure.tsx";
import type { Draft } from "./draft.ts";
import { payloadFields, type PayloadField } from "./payload.ts";
import {
  changedFields,
  groupOf,
  payloadGroups,
  readableValue,
  whyLeaves,
  type PayloadGroup,
} from "./payload-groups.ts";
import { ShareBars } from "./ShareBars.tsx";
import type { DebouncedCall } from "./use-debounced-call.ts";

export type Preview = Output<typeof previewDestination>["data"];

interface PayloadPreviewProps {
  asked: DebouncedCall<{ data: Preview }>;
  /** the form is not filled in far enough to be shown */
  incomplete: boolean;
  /** what to do before it is known whether the call would be sent; null where nothing is missing */
  missing: string | null;
  onNext: (() => void) | undefined;
  before: Preview | undefined;
  draft: Draft;
  /** which settings it is shown under */
  form: "new" | "saved" | "edited";
}

/** The last real call as the unsaved form would send it: what leaves as it is written, what stays as bars, never as text. */
export function PayloadPreview({ asked, incomplete, missing, onNext, before, draft, form }: PayloadPreviewProps) {
  const preview = asked.data?.data;
  return (
    <aside aria-labelledby="leaves-title" aria-busy={asked.pending || undefined} className="min-w-0">
      <div className="flex items-baseline">
        <h2 id="leaves-title" className="text-15">
          What leaves
        </h2>
        {onNext && (
          <LinkButton className="ml-auto text-12" onClick={onNext}>
            Next call
          </LinkButton>
        )}
      </div>
      {asked.error !== null && !incomplete && (
        <div role="alert" className="flex items-center gap-2 pb-2 text-12 text-warn-fg">
          <p className="grow break-words">The preview did not load. {errorText(asked.error)}</p>
          <Button size="sm" variant="quiet" pending={asked.pending} onClick={asked.again}>
            Retry
          </Button>
        </div>
      )}
      {preview ? (
        <Shown
          preview={preview}
          before={before}
          // rules that are not applied keep nothing
          draft={missing === null ? draft : { ...draft, filter_rules: null }}
          form={form}
          missing={missing}
          age={!asked.isStale ? "current" : asked.error === null ? "updating" : "outdated"}
        />
      ) : incomplete ? (
        <p className="pt-1 text-fg-2">Fill in the connection to preview the exact request.</p>
      ) : (
        asked.error === null && (
          <div className="grid gap-4 pt-4">
            {[180, 220, 160, 240, 200].map((width) => (
              <Skeleton key={width} width={width} />
            ))}
          </div>
        )
      )}
    </aside>
  );
}

interface ShownProps {
  preview: Preview;
  /** the same call as the saved settings send it; undefined where the edits change nothing of what leaves */
  before: Preview | undefined;
  draft: Draft;
  form: PayloadPreviewProps["form"];
  missing: string | null;
  /** `outdated`: of earlier settings, and a newer one did not load */
  age: "current" | "updating" | "outdated";
}

function Shown({ preview, before, draft, form, missing, age }: ShownProps) {
  const [raw, setRaw] = useState(false);
  const { requests, removed, outcome } = preview;
  const bytes = requests.reduce((all, { body }) => all + new TextEncoder().encode(body).length, 0);
  const stopped = outcome !== "forwarded" && missing === null;
  const known = removed.reduce((all, { bytes: size }) => all + (size ?? 0), 0);
  const target = requests[0];
  return (
    <>
      <p className="pb-2 text-12 text-fg-3">
        {age === "current" ? (
          originWords(preview, form)
        ) : age === "updating" ? (
          "Updating…"
        ) : (
          <Status kind="warning" word="Not up to date: it shows earlier settings" />
        )}
      </p>
      <p className="pb-2 text-12">
        {missing === null ? (
          <Outcome preview={preview} />
        ) : (
          <Status kind="unknown" word={`Whether it would be sent is not known: ${missing}`} />
        )}
      </p>
      {raw ? (
        <pre
          tabIndex={0}
          role="region"
          aria-label="The request as it would be sent"
          className="max-h-[60vh] overflow-auto bg-bg-2 px-3 py-2 font-mono text-[11px]/[17px] whitespace-pre-wrap break-all"
        >
          {requests
            .map(({ method, url, headers, body }) => `${method} ${url}\n${headerLines(headers)}\n\n${pretty(body)}`)
            .join("\n\n")}
        </pre>
      ) : (
        <Fields preview={preview} before={before} draft={draft} stopped={stopped} />
      )}
      <div className="flex flex-wrap items-baseline gap-x-3 pt-2 text-12">
        <span>
          {stopped ? "0 B leaves" : `${formatBytes(bytes)} ${missing === null ? "leaves" : "leaves if it is sent"}`}
          {stopped && <span className="text-fg-3">; it would be {formatBytes(bytes)}</span>}
        </span>
        <span className="ml-auto text-fg-3">{staysWords(removed)}</span>
      </div>
      <ShareBars fraction={stopped ? 0 : bytes / (bytes + known)} className="mt-1 h-2" />
      {target && (
        <p className="pt-1 text-12 break-words text-fg-3">
          To {target.method} {target.url}. Secrets in the request are masked here.{" "}
          <LinkButton className="text-12" onClick={() => setRaw(!raw)}>
            {raw ? "Field by field" : "As it is sent"}
          </LinkButton>
        </p>
      )}
    </>
  );
}

const groupTitles: Readonly<Record<Exclude<PayloadGroup, "wire">, string>> = {
  who: "Who",
  what: "What",
  cost: "Cost",
  time: "Time",
  body: "Prompt and response",
};

const fieldsOf = ({ requests }: Preview): PayloadField[] =>
  requests.flatMap(({ body }) => payloadFields(body) ?? [{ name: "body", value: body }]);

interface FieldsProps extends Pick<ShownProps, "preview" | "before" | "draft"> {
  stopped: boolean;
}

/** What the edits change first, then what a person asks about, then what stays; what only the format needs is folded. */
function Fields({ preview, before, draft, stopped }: FieldsProps) {
  const fields = fieldsOf(preview);
  const { starts, stops } = before ? changedFields(fieldsOf(before), fields) : { starts: [], stops: [] };
  const changed = new Set(starts.map(({ name }) => name));
  const rest = fields.filter(({ name }) => !changed.has(name));
  const of = (group: PayloadGroup) => rest.filter(({ name }) => groupOf(name) === group);
  const wire = of("wire");
  const row = (field: PayloadField, index: number, tone?: "starts") => (
    <LeavingRow
      key={`${field.name} ${index}`}
      field={field}
      why={tone ? "starts leaving" : whyLeaves(field.name, draft)}
      starts={tone === "starts"}
      stopped={stopped}
    />
  );
  return (
    <div
      tabIndex={0}
      role="region"
      aria-label="What leaves, field by field"
      className="max-h-[50vh] overflow-auto border-t border-line-2"
    >
      <table className="w-full table-fixed text-12" aria-label="Fields that leave and fields that stay">
        <colgroup>
          <col className="w-[38%]" />
          <col />
          <col className="w-[28%]" />
        </colgroup>
        <thead className="sr-only">
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Value</th>
            <th scope="col">Why</th>
          </tr>
        </thead>
        {(starts.length > 0 || stops.length > 0) && (
          <Group title="Because of your edits">
            {starts.map((field, index) => row(field, index, "starts"))}
            {stops.map(({ name, value }) => (
              <StayingRow key={name} name={name} bytes={new TextEncoder().encode(value).length} why="stops leaving" />
            ))}
          </Group>
        )}
        {payloadGroups.map(
          (group) =>
            group !== "wire" &&
            of(group).length > 0 && (
              <Group key={group} title={groupTitles[group]}>
                {of(group).map((field, index) => row(field, index))}
              </Group>
            ),
        )}
        <Group title="Stays in the gateway">
          {removed(preview).map(({ member, bytes, why }) => (
            <StayingRow key={member} name={member} bytes={bytes} why={why} />
          ))}
          <StayingRow name="authorization" bytes={null} why="never sent" />
        </Group>
      </table>
      {wire.length > 0 && (
        <Disclosure
          summary={`${wire.length} ${wire.length === 1 ? "field" : "fields"} of the format`}
          className="py-2 text-12"
        >
          <table className="w-full table-fixed text-12" aria-label="Fields of the format">
            <tbody>{wire.map((field, index) => row(field, index))}</tbody>
          </table>
        </Disclosure>
      )}
    </div>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <tbody>
      <tr>
        <th scope="rowgroup" colSpan={3} className="pt-2.5 pb-1 text-left font-semibold">
          {title}
        </th>
      </tr>
      {children}
    </tbody>
  );
}

interface LeavingRowProps {
  field: PayloadField;
  why: string;
  starts: boolean;
  stopped: boolean;
}

function LeavingRow({ field, why, starts, stopped }: LeavingRowProps) {
  const value = readableValue(field);
  const body = groupOf(field.name) === "body";
  const struck = stopped ? "text-fg-3 line-through" : starts ? "text-warn-fg" : undefined;
  return (
    <tr className="border-b border-line align-top">
      <td className={cx("mono truncate py-1 pr-3", struck ?? "text-fg-2")} title={field.name}>
        {field.name}
      </td>
      <td className={cx("mono py-1", !body && "truncate", struck)} title={value.length > 200 ? undefined : value}>
        <span className={body ? "line-clamp-3 wrap-anywhere" : undefined}>
          {value.length > 400 ? `${value.slice(0, 400)}…` : value}
        </span>
      </td>
      <td
        className={cx("truncate py-1 pl-2 text-right", starts && !stopped ? "text-warn-fg" : "text-fg-3")}
        title={why}
      >
        {stopped ? "not sent" : why}
      </td>
    </tr>
  );
}

function StayingRow({ name, bytes, why }: { name: string; bytes: number | null; why: string }) {
  const words = bytes === null ? why : `${why}, ${formatBytes(bytes)}`;
  return (
    <tr className="h-[27px] border-b border-line">
      <td className="mono truncate pr-3 text-fg-2" title={name}>
        {name}
      </td>
      <td>
        <Redaction name={name} bytes={bytes} />
      </td>
      <td className="truncate pl-2 text-right text-fg-3" title={words}>
        {words}
      </td>
    </tr>
  );
}

const removed = (preview: Preview) =>
  preview.removed.map(({ member, bytes, by }) => ({
    member,
    bytes,
    why: by === "privacy_mode" ? "metadata only" : "not chosen",
  }));

const senders: Readonly<Record<PayloadPreviewProps["form"], string>> = {
  new: "as this destination would send it",
  saved: "as the saved settings send it",
  edited: "as your unsaved changes would send it",
};

function originWords(
  { real, generation_id: id, example_bodies: madeUp }: Pick<Preview, "real" | "generation_id" | "example_bodies">,
  form: PayloadPreviewProps["form"],
): string {
  if (!real) return `No calls yet: this is a made-up one, ${senders[form]}`;
  const call = `Call ${id}, ${senders[form]}`;
  return madeUp ? `${call}. Its prompt and response were not kept, so a made-up pair takes their place` : call;
}

/** The sum is only the whole where every size is known. */
function staysWords(list: Preview["removed"]): string {
  if (list.length === 0) return "only the caller's key stays";
  const members = `${list.length} ${list.length === 1 ? "field" : "fields"} and the caller's key stay`;
  const sizes = list.flatMap(({ bytes }) => bytes ?? []);
  const sum = formatBytes(sizes.reduce((all, size) => all + size, 0));
  const unknown = list.filter(({ bytes }) => bytes === null).map(({ member }) => member);
  if (unknown.length === 0) return `${members}, ${sum}`;
  return `${members}, ${sum} and ${unknown.join(" and ")} of unknown size`;
}

const mostBars = 24;

/** Bars in the place of what is not sent: one more for each half again that it is long. */
function Redaction({ name, bytes }: { name: string; bytes: number | null }) {
  const count = bytes === null ? 3 : Math.max(3, Math.min(mostBars, Math.round(Math.log(bytes) / Math.log(1.5))));
  return (
    <svg
      width={count * 4}
      height="12"
      viewBox={`0 0 ${count * 4} 12`}
      strokeWidth="2.5"
      role="img"
      aria-label={`${name} stays in the gateway`}
      className="max-w-full stroke-fg-2 forced-colors:stroke-[CanvasText]"
    >
      <path d={Array.from({ length: count }, (_, bar) => `M${bar * 4 + 1.5} 0v12`).join("")} />
    </svg>
  );
}

function Outcome({ preview: { outcome, rule } }: { preview: Preview }) {
  if (outcome === "forwarded") return <Status kind="running" word="This call would be sent" />;
  const why = {
    not_in_allowlist: "its key is not in the list",
    sampled_out: "it is sampled out",
    filtered: rule ? `rule ${rule.rule + 1} of group ${rule.group + 1} stops it` : "a rule stops it",
  }[outcome];
  return <Status kind="never" word={`Would not be sent: ${why}`} />;
}

const headerLines = (headers: Record<string, string>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
