import { minuteMs } from "#contract/time.ts";
import { download } from "../../shell/download.ts";
import { envFileName, envText, type KeyVariable } from "./env-file.ts";
import { gatewayBaseUrl } from "../../shell/snippets.ts";
import type { Vault } from "../../shell/vault.ts";

/** Writes the key and the base URL to `<name>.env`. */
export function downloadKey(vault: Vault, name: string, variable: KeyVariable): void {
  vault.withValue((key) =>
    download(envFileName(name), envText(variable, key, gatewayBaseUrl()), "text/plain;charset=utf-8"),
  );
}

const clearAfterMs = minuteMs;
let clearing: ReturnType<typeof setTimeout> | undefined;

/** Whether a page may write to the clipboard later, without a click. */
export const canClearLater = () => window.isSecureContext && "clipboard" in navigator;

/**
 * Empties the clipboard 60 s from now, whatever is on it by then: a page cannot read it to check.
 * `tell` hears whether it worked, which fails in a tab that is not in front.
 */
export function clearClipboardLater(tell: (cleared: boolean) => void): void {
  clearTimeout(clearing);
  clearing = setTimeout(() => {
    navigator.clipboard.writeText("").then(
      () => tell(true),
      () => tell(false),
    );
  }, clearAfterMs);
}

export function keepClipboard(): void {
  clearTimeout(clearing);
}
