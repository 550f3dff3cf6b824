import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { KeyRecord } from "#contract/keys.ts";
import { useNow } from "../../api/clock.ts";
import { everyWorkspace } from "../../api/workspaces.ts";
import { formatRelative } from "../../format.ts";
import { paths } from "../../paths.ts";
import { PromptCache } from "../../shell/PromptCache.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { cx } from "../../ui/cx.ts";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { Facts, type Fact } from "../../ui/Facts.tsx";
import { linkTextClass } from "../../ui/LinkText.tsx";
import { Money } from "../../ui/Money.tsx";
import { Time } from "../../ui/Time.tsx";
import { tip } from "../../ui/Tooltip.tsx";
import { lastsWords } from "./lasts-words.ts";
import { shortLabel } from "./key-columns.tsx";
import { utcMinute } from "./utc-minute.ts";
import { useWorkspaceName } from "./workspace-name.ts";

/** What a key is, as a list of terms. */
export function KeyFacts({ of: key }: { of: KeyRecord }) {
  const now = useNow(30_000);
  const workspace = useWorkspaceName(key.workspace_id);
  const facts: Fact[] = [
    {
      term: "Label",
      value: (
        <span translate="no" className="mono">
          {shortLabel(key.label)}
        </span>
      ),
    },
    { term: "Workspace", value: <Workspace of={key} name={workspace} /> },
    {
      term: "Hash",
      value: (
        <span className="flex items-center gap-1">
          <span className="mono truncate select-all">{key.hash}</span>
          <CopyButton text={key.hash} label="Copy the hash" className="-my-1.5" />
        </span>
      ),
    },
    {
      term: "Last used",
      value: key.last_used_at === null ? "Not yet" : <Time iso={key.last_used_at} now={now} focusable />,
    },
    { term: "Created", value: <Created of={key} now={now} /> },
    {
      term: "Expires",
      value:
        key.expires_at === null
          ? "Never"
          : `${utcMinute(new Date(key.expires_at))}, ${formatRelative(new Date(key.expires_at), now)}`,
    },
    { term: "Lasts until", value: <Lasts of={key} now={now} /> },
    { term: "Used in total", value: <Money usd={key.usage} dash focusable /> },
    { term: "BYOK in total", value: <Money usd={key.byok_usage} dash focusable /> },
    { term: "From caches", value: <PromptCache of={{ field: "api_key_id", value: key.hash }} /> },
  ];
  if (key.replaces !== null)
    facts.push({ term: "Replaces", value: <Kin hash={key.replaces} words="the previous key" /> });
  if (key.replaced_by !== null)
    facts.push({ term: "Replaced by", value: <Kin hash={key.replaced_by} words="its successor" /> });
  if (key.oauth_app !== null) facts.push({ term: "Made by OAuth", value: <OAuthOrigin of={key} /> });
  return (
    <div className="px-8 py-5 max-md:px-4">
      <Facts columns={2} facts={facts} className="max-w-240 text-13" />
    </div>
  );
}

function Workspace({ of: key, name }: { of: KeyRecord; name: string }) {
  const { path } = useWorkspace();
  const isOnly = (useQuery(everyWorkspace).data?.length ?? 1) < 2;
  return (
    <span className="flex items-baseline gap-3">
      <span dir="auto" className="truncate">
        {name}
      </span>
      {!isOnly && key.purpose === null && (
        <Link to={paths.editKey(path, key.hash)} className={linkTextClass}>
          Move it
        </Link>
      )}
    </span>
  );
}

function Lasts({ of: key, now }: { of: KeyRecord; now: Date }) {
  const { text, note, why, soon } = lastsWords(key, key.limit_resets_at, now);
  return (
    <span tabIndex={0} className={cx("rounded-1", soon && "text-warn-fg")} {...tip(why)}>
      {note === null ? text : `${text}, ${note}`}
    </span>
  );
}

function Created({ of: key, now }: { of: KeyRecord; now: Date }) {
  return (
    <>
      <Time iso={key.created_at} show="full" now={now} focusable /> UTC
      {key.creator_user_id !== null && ` by ${key.creator_user_id}`}
    </>
  );
}

function OAuthOrigin({ of: { oauth_app, made_by } }: { of: KeyRecord }) {
  return (
    <span className="wrap-anywhere">
      {oauth_app === "" ? "with a code that was shown on screen" : `for ${oauth_app}`}
      {made_by !== null && (
        <>
          , with <Kin hash={made_by} words="another key" />
        </>
      )}
    </span>
  );
}

function Kin({ hash, words }: { hash: string; words: string }) {
  const { path } = useWorkspace();
  return (
    <Link to={paths.key(path, hash)} className={linkTextClass}>
      {words}, {hash.slice(0, 8)}…
    </Link>
  );
}
