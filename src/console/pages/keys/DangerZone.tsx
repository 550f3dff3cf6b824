import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { KeyRecord } from "#contract/keys.ts";
import { useReachable } from "../../api/connectivity.ts";
import { paths } from "../../paths.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button, buttonClass } from "../../ui/Button.tsx";
import { replaceReason, useEnable, type Asked } from "./KeyMenu.tsx";

/** What stops callers, at the page's foot and outlined. */
export function DangerZone({ of: key, onAsk }: { of: KeyRecord; onAsk: (asked: Asked) => void }) {
  const { path } = useWorkspace();
  const { reason } = useReachable();
  const enable = useEnable(key);
  const notReplaceable = reason ?? replaceReason(key);
  return (
    <section aria-labelledby="danger-title" className="mx-8 mt-2 mb-8 rounded-2 border border-bad-line max-md:mx-4">
      <h2 id="danger-title" className="px-4 pt-3 text-15">
        Danger zone
      </h2>
      <Row
        title={key.disabled ? "Enable it again" : "Disable it"}
        text={key.disabled ? "Calls with it work again at once." : "Calls with it get 401 until it is enabled again."}
      >
        {key.disabled ? (
          <Button disabledReason={reason} onClick={enable}>
            Enable key
          </Button>
        ) : (
          <Button disabledReason={reason} onClick={() => onAsk({ about: "disable", key })}>
            Disable key
          </Button>
        )}
      </Row>
      <Row
        title="Lost the key? Replace it"
        text="A successor with the same settings; this one ends after the time you choose."
      >
        {notReplaceable === undefined ? (
          <Link to={paths.replaceKey(path, key.hash)} className={buttonClass()}>
            Replace key
          </Link>
        ) : (
          <Button disabledReason={notReplaceable}>Replace key</Button>
        )}
      </Row>
      <Row title="Delete it" text="Calls with it fail at once. This cannot be undone.">
        <Button variant="danger" disabledReason={reason} onClick={() => onAsk({ about: "delete", key })}>
          Delete key
        </Button>
      </Row>
    </section>
  );
}

function Row({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-3 last:border-b-0">
      <div className="min-w-0 grow">
        <h3 className="text-13 font-semibold">{title}</h3>
        <p className="text-12 text-fg-2">{text}</p>
      </div>
      {children}
    </div>
  );
}
