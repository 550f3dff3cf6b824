import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { type ApiType, isConversation } from "#contract/api-type.ts";
import type { CallRecord } from "#contract/calls.ts";
import { minuteMs } from "#contract/time.ts";
import { useNow } from "../../api/clock.ts";
import { formatCount, formatLatency } from "../../format.ts";
import { allWorkspaces, paths } from "../../paths.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { cx } from "../../ui/cx.ts";
import { Facts, type Fact } from "../../ui/Facts.tsx";
import { linkTextClass } from "../../ui/LinkText.tsx";
import { Money } from "../../ui/Money.tsx";
import { Time } from "../../ui/Time.tsx";
import { isVideoJob } from "./attempt-times.ts";
import { apiNames, hasUnknownTokens, isAllCached, isAllUnread, unitLabel } from "./labels.ts";

/** Who called what, the counts and the amounts, and every id that helps to find it elsewhere. */
export function CallFacts({
  call,
  workspace,
}: {
  call: CallRecord;
  workspace: { name: string; path: string | undefined };
}) {
  const current = useWorkspace().path;
  // in the view of all workspaces links stay there
  const path = current === allWorkspaces ? current : (workspace.path ?? current);
  const now = useNow(minuteMs);
  const chat = isConversation(call.api_type);
  const isMedia = mediaApis.has(call.api_type);
  const nothingCounted = call.status >= 400 && call.prompt_tokens === 0 && call.completion_tokens === 0;
  const isUnread = isAllUnread(call);
  const units = unitLabel(call);
  const tokens = (count: number) => {
    if (!hasUnknownTokens(call)) return formatCount(count);
    return count === 0 ? "unknown" : `at most ${formatCount(count)}`;
  };
  const isFromCache = isAllCached(call);
  const facts: (Fact | null)[] = [
    {
      term: "When",
      value: (
        <>
          <Time iso={call.created_at} show="exact" now={now} focusable /> UTC
        </>
      ),
    },
    {
      term: "Workspace",
      value:
        workspace.path === undefined ? (
          workspace.name
        ) : (
          <Link to={paths.calls(workspace.path)} dir="auto" className={linkTextClass}>
            {workspace.name}
          </Link>
        ),
    },
    {
      term: "Key",
      value:
        call.key_name === null ? (
          `deleted, ${call.key_hash.slice(0, 12)}…`
        ) : (
          <Link to={paths.key(path, call.key_hash)} className={linkTextClass}>
            {call.key_name}
          </Link>
        ),
    },
    ...servedFacts(call, path),
    { term: "API", value: apiNames[call.api_type] },
    // what is billed by the second or the image has none
    isMedia && call.prompt_tokens === 0 ? null : { term: "Input tokens", value: tokens(call.prompt_tokens) },
    call.cached_tokens > 0
      ? {
          term: chat ? "of which from the provider's cache" : "of which not sent",
          value: formatCount(call.cached_tokens),
        }
      : null,
    call.cache_write_tokens > 0
      ? { term: "of which written to its cache", value: formatCount(call.cache_write_tokens) }
      : null,
    chat ? { term: "Output tokens", value: tokens(call.completion_tokens) } : null,
    call.reasoning_tokens > 0 ? { term: "of which reasoning", value: formatCount(call.reasoning_tokens) } : null,
    chat || isMedia || units !== null ? null : { term: inputsTerm(call), value: formatCount(call.inputs) },
    units === null ? null : { term: "Billed", value: units },
    nothingCounted || isFromCache || isUnread
      ? null
      : { term: "Counted by", value: call.metered_by === "upstream" ? "the provider" : "the gateway" },
    { term: "Charged", value: call.priced || call.cost > 0 ? <Money usd={call.cost} exact /> : "no price" },
    call.is_byok || call.byok_cost > 0
      ? { term: "On your own key", value: <Money usd={call.byok_cost} exact /> }
      : null,
    call.overrun > 0 ? { term: "Over the reservation", value: <Money usd={call.overrun} exact /> } : null,
    call.saved > 0 ? { term: "Saved", value: <Money usd={call.saved} exact /> } : null,
    sourceFact(call, path),
    { term: "Took", value: formatLatency(call.duration_ms) },
    call.latency_ms === null
      ? null
      : { term: isVideoJob(call) ? "Accepted after" : "Time to first byte", value: formatLatency(call.latency_ms) },
    chat ? { term: "Streamed", value: call.streamed ? "yes" : "no" } : null,
    call.finish_reason === null ? null : { term: "Finish reason", value: call.finish_reason },
    idFact("Request id", call.request_id),
    idFact("Provider's id", call.upstream_id),
    batchFact(call, workspace.path),
    sessionFact(call, path),
    call.preset === null
      ? null
      : {
          term: "Preset",
          value: (
            <>
              <Link to={paths.calls(path)} search={{ preset: call.preset }} className={linkTextClass}>
                {call.preset}
              </Link>
              , version {call.preset_version}
            </>
          ),
        },
    call.content_filters === null
      ? null
      : { term: "Content filters", value: call.content_filters.map(filterMatch).join(", ") },
    call.external_user === null ? null : { term: "User", value: found(path, { user: call.external_user }) },
    call.app_title === null ? null : { term: "App", value: found(path, { app: call.app_title }) },
    call.http_referer === null ? null : { term: "From", value: <span className="break-all">{call.http_referer}</span> },
    call.user_agent === null ? null : { term: "Client", value: <span className="break-all">{call.user_agent}</span> },
  ];
  return (
    <div className="px-8 py-5 max-md:px-4">
      <Facts columns={2} facts={facts.filter((fact) => fact !== null)} className="max-w-240 text-13" />
    </div>
  );
}

/** A value that leads to all calls with it. */
function found(path: string, search: { user: string } | { app: string }): ReactNode {
  return (
    <Link to={paths.calls(path)} search={search} dir="auto" className={cx(linkTextClass, "wrap-anywhere")}>
      {Object.values(search)}
    </Link>
  );
}

/** The model and who served it, each a way to its page. */
function servedFacts(call: CallRecord, path: string): Fact[] {
  return [
    {
      term: "Model",
      value: (
        <Link to={paths.model(path, call.model)} className={cx(linkTextClass, "mono")}>
          {call.model}
        </Link>
      ),
    },
    {
      term: "Provider",
      value:
        call.provider === null ? (
          "none reached"
        ) : (
          <Link to={paths.provider(path, call.provider)} dir="auto" className={linkTextClass}>
            {call.provider_name}
          </Link>
        ),
    },
  ];
}

const filterVerbs = { block: "blocked", redact: "redacted", flag: "flagged" } as const;

function filterMatch({ label, action, count }: NonNullable<CallRecord["content_filters"]>[number]): string {
  return `${label} ${filterVerbs[action]}${count > 1 ? ` ${formatCount(count)} times` : ""}`;
}

const mediaApis: ReadonlySet<ApiType> = new Set(["speech", "transcriptions", "images", "videos"]);

function inputsTerm({ api_type: type, status }: CallRecord): string {
  if (type === "rerank") return "Documents";
  return status < 400 ? "Vectors" : "Inputs";
}

/** The call whose answer the response cache had for this one. */
function sourceFact({ response_cache_source_id: id }: CallRecord, path: string): Fact | null {
  if (id === null) return null;
  const link = (
    <Link to={paths.call(path, id)} className={linkTextClass}>
      {id}
    </Link>
  );
  return {
    term: "Answer of",
    value: (
      <Id text={id} what="call's id">
        {link}
      </Id>
    ),
  };
}

function sessionFact({ session_id: id }: CallRecord, path: string): Fact | null {
  if (id === null) return null;
  const link = (
    <Link to={paths.calls(path)} search={{ session: id }} className={linkTextClass}>
      {id}
    </Link>
  );
  return {
    term: "Session",
    value: (
      <Id text={id} what="session's id">
        {link}
      </Id>
    ),
  };
}

/** In the view of all workspaces too, a batch is shown in its own. */
function batchFact({ batch_id: id }: CallRecord, path: string | undefined): Fact | null {
  if (id === null || path === undefined) return idFact("Batch", id);
  const link = (
    <Link to={paths.batch(path, id)} className={linkTextClass}>
      {id}
    </Link>
  );
  return {
    term: "Batch",
    value: (
      <Id text={id} what="batch's id">
        {link}
      </Id>
    ),
  };
}

function idFact(term: string, text: string | null): Fact | null {
  return text === null
    ? null
    : {
        term,
        value: (
          <Id text={text} what={term.toLowerCase()}>
            {text}
          </Id>
        ),
      };
}

function Id({ text, what, children }: { text: string; what: string; children: ReactNode }) {
  return (
    <span className="flex items-center gap-1">
      <span className="mono break-all">{children}</span>
      <CopyButton text={text} label={`Copy the ${what}`} className="-my-1.5" />
    </span>
  );
}
