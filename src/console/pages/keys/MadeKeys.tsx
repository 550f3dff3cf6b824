import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { KeyRecord } from "#contract/keys.ts";
import { useNow } from "../../api/clock.ts";
import { useReachable } from "../../api/connectivity.ts";
import { paths } from "../../paths.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/Button.tsx";
import { linkTextClass } from "../../ui/LinkText.tsx";
import { DisableMany, enableMany } from "./DisableMany.tsx";
import { madeKeyNote } from "./made-keys.ts";

/** The keys that apps and agents got with this one; nothing where there are none. */
export function MadeKeys({ of: key }: { of: KeyRecord }) {
  const { path } = useWorkspace();
  const { reason } = useReachable();
  const now = useNow(30_000);
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const [enabling, setEnabling] = useState(false);
  const able = key.made_keys.filter(({ disabled }) => !disabled);
  const off = key.made_keys.filter(({ disabled }) => disabled);
  if (key.made_keys.length === 0) return null;
  return (
    <section aria-labelledby="made-title" className="border-t border-line px-8 py-6 max-md:px-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 pb-2">
        <div className="min-w-0 grow">
          <h2 id="made-title" className="text-15">
            Keys made with it
          </h2>
          <p className="text-12 text-fg-2">Its limit, rates and expiry bind them. What they spend counts as its own.</p>
        </div>
        {off.length > 0 && (
          <Button
            size="sm"
            pending={enabling}
            disabledReason={reason}
            onClick={() => {
              setEnabling(true);
              void enableMany(client, off).finally(() => setEnabling(false));
            }}
          >
            Enable all
          </Button>
        )}
        <Button
          size="sm"
          disabledReason={reason ?? (able.length === 0 && "All of them are disabled already")}
          onClick={() => setAsking(true)}
        >
          Disable all
        </Button>
      </div>
      <ul className="grid gap-2">
        {key.made_keys.map((made) => (
          <li key={made.hash} className="flex flex-wrap items-baseline gap-x-3">
            <Link to={paths.key(path, made.hash)} className={`${linkTextClass} wrap-anywhere`}>
              <bdi>{made.name}</bdi>
            </Link>
            <span className="text-12 text-fg-3">{madeKeyNote(made, now)}</span>
          </li>
        ))}
      </ul>
      {asking && <DisableMany keys={able} onClose={() => setAsking(false)} />}
    </section>
  );
}
