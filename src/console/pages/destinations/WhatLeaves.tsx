import { useState } from "react";
import type { Output } from "#contract/endpoint.ts";
import type { previewDestination } from "#contract/forwarding.ts";
import { explain } from "../../api/explain.ts";
import { formatBytes } from "../../format.ts";
import { Button } from "../../ui/Button.tsx";
import { LinkButton } from "../../ui/LinkText.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Status } from "../../ui/Status.tsx";
import { payloadFields } from "./payload.ts";
import { ShareBars } from "./ShareBars.tsx";
import type { Asked } from "./use-asked.ts";

export type Preview = Output<typeof previewDestination>["data"];

interface WhatLeavesProps {
  asked: Asked<{ data: Preview }>;
  /** the form is not filled in far enough to be shown */
  incomplete: boolean;
  onNext: (() => void) | undefined;
}

/** The last real call as the unsaved form would send it: what leaves as it is written, what stays as bars, never as text. */
export function WhatLeaves({ asked, incomplete, onNext }: WhatLeavesProps) {
  const preview = asked.data?.data;
  return (
    <aside aria-labelledby="leaves-title" aria-busy={asked.pending || undefined} className="min-w-0">
      <div className="flex items-baseline">
        <h2 id="leaves-title" className="text-15">
          What leaves
        </h2>
        {onNext && (
          <LinkButton className="ml-auto text-12" onClick={onNext}>
            Next request
          </LinkButton>
        )}
      </div>
      {asked.error !== null && !incomplete && (
        <div role="alert" className="flex items-center gap-2 pb-2 text-12 text-warn-fg">
          <p className="grow break-words">
            The preview did not load. {explain(asked.error).said ?? explain(asked.error).title}
          </p>
          <Button size="sm" variant="quiet" pending={asked.pending} onClick={asked.again}>
            Retry
          </Button>
        </div>
      )}
      {preview ? (
        <Shown preview={preview} />
      ) : incomplete ? (
        <p className="pt-1 text-fg-2">Fill in the connection, and this shows the exact request that would be sent.</p>
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

function Shown({ preview }: { preview: Preview }) {
  const [raw, setRaw] = useState(false);
  const { real, requests, removed, generation_id: id } = preview;
  const bytes = requests.reduce((all, { body }) => all + new TextEncoder().encode(body).length, 0);
  const staying = removed.reduce((all, { bytes: size }) => all + (size ?? 0), 0);
  const target = requests[0];
  const fields = requests.flatMap(({ body }) => payloadFields(body) ?? [{ name: "body", value: body }]);
  return (
    <>
      <p className="pb-2 text-12 text-fg-3">
        {real
          ? `Call ${id}, as this unsaved form would send it`
          : "There was no call yet: a made-up one, as this form would send it"}
      </p>
      <p className="pb-2 text-12">
        <FateWord preview={preview} />
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
        <div
          tabIndex={0}
          role="region"
          aria-label="What leaves, field by field"
          className="max-h-[60vh] overflow-auto border-t border-line-2"
        >
          <table className="w-full table-fixed text-12" aria-label="Fields that leave and fields that stay">
            <colgroup>
              <col className="w-[44%]" />
              <col />
              <col className="w-[30%]" />
            </colgroup>
            <thead className="sr-only">
              <tr>
                <th scope="col">Field</th>
                <th scope="col">Value</th>
                <th scope="col">Why</th>
              </tr>
            </thead>
            <tbody>
              {removed.map(({ member, by, bytes: size }) => (
                <tr key={member} className="h-[27px] border-b border-line">
                  <td className="mono truncate pr-3 text-fg-2">{member}</td>
                  <td>
                    <Redaction name={member} bytes={size} />
                  </td>
                  <td className="truncate text-right text-fg-3">
                    {size === null ? stays[by] : `${stays[by]}, ${formatBytes(size)}`}
                  </td>
                </tr>
              ))}
              {fields.map(({ name, value }, index) => (
                <tr key={`${name} ${index}`} className="h-[27px] border-b border-line">
                  <td className="mono truncate pr-3 text-fg-2" title={name}>
                    {name}
                  </td>
                  <td className="mono truncate" colSpan={2} title={value.length > 200 ? undefined : value}>
                    {value.length > 400 ? `${value.slice(0, 400)}…` : value}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <div className="flex flex-wrap items-baseline gap-x-3 pt-2 text-12">
        <span>{formatBytes(bytes)} leaves</span>
        <span className="ml-auto text-fg-3">{staysWords(removed)}</span>
      </div>
      <ShareBars fraction={bytes / (bytes + staying)} className="mt-1 h-2" />
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

const stays: Readonly<Record<Preview["removed"][number]["by"], string>> = {
  privacy_mode: "metadata only",
  broadcast_generation_cost: "not chosen",
  broadcast_generation_identity: "not chosen",
  broadcast_generation_request_context: "not chosen",
  not_kept: "was not kept",
};

function staysWords(removed: Preview["removed"]): string {
  if (removed.length === 0) return "nothing stays";
  const known = removed.flatMap(({ bytes }) => bytes ?? []);
  const members = `${removed.length} ${removed.length === 1 ? "member stays" : "members stay"}`;
  return known.length === 0 ? members : `${members}, ${formatBytes(known.reduce((all, size) => all + size, 0))}`;
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

function FateWord({ preview: { fate, rule } }: { preview: Preview }) {
  if (fate === "forwarded") return <Status kind="running" word="This call would be sent" />;
  const why = {
    not_in_allowlist: "its key is not in the list",
    sampled_out: "it is sampled out",
    filtered: rule ? `rule ${rule.rule + 1} of group ${rule.group + 1} stops it` : "a rule stops it",
  }[fate];
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
