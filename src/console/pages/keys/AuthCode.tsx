import { useCallback } from "react";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { Sheet } from "./Sheet.tsx";
import type { Vault } from "../../shell/vault.ts";

/** The code of an app that has no address, to be taken there by hand. It is written into the page past React. */
export function AuthCode({ vault }: { vault: Vault }) {
  const write = useCallback(
    (element: HTMLElement | null) => {
      if (element === null) return undefined;
      vault.withValue((code) => {
        element.textContent = code;
      });
      return () => {
        element.textContent = "";
      };
    },
    [vault],
  );
  return (
    <Sheet title="Take this code to the app">
      <p className="text-13">
        Paste it where the app asks for it within 10 minutes. It works once and is shown only now.
      </p>
      <div role="group" aria-label="Code" className="flex flex-wrap items-center gap-2">
        <code
          ref={write}
          tabIndex={0}
          translate="no"
          data-private
          className="font-mono text-[15px]/6 break-all select-all"
        />
        <CopyButton text={() => vault.withValue((code) => code) ?? ""} label="Copy the code" words="Copy" />
      </div>
    </Sheet>
  );
}
