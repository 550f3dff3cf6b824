import { Check, Copy, Download, Eye, EyeOff } from "lucide-react";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Button } from "../../ui/Button.tsx";
import { SecretText } from "./SecretText.tsx";
import { copyKey, downloadKey } from "./copy-key.ts";
import { useTemporaryState } from "../../ui/use-temporary-state.ts";
import { useListener } from "../../ui/use-listener.ts";
import type { KeyVariable } from "./env-file.ts";
import type { Made, ShownOnce } from "./make-key.ts";

const shownForMs = 30_000;
const apple = () => /Mac|iP(hone|ad)/.test(navigator.userAgent);

interface KeySecretProps {
  made: Made<ShownOnce>;
  variable: KeyVariable;
  onTaken: (how: "copied" | "downloaded") => void;
}

/** The key and the ways to take it. Hidden until asked for, since screens are shared; copying works while it is hidden. */
export function KeySecret({ made: { record, vault }, variable, onTaken }: KeySecretProps) {
  const text = useRef<HTMLElement>(null);
  // for 30 s at most, and never in a tab or window that is not in front
  const [shown, setShown] = useTemporaryState<true>(shownForMs);
  const hide = () => setShown(null);
  useListener(document, "visibilitychange", hide);
  useListener(window, "blur", hide);
  const [copied, setCopied] = useTemporaryState<true>(2_000);
  const [byHand, setByHand] = useState(false);
  const [said, setSaid] = useState("");

  function done(): void {
    setCopied(true);
    setByHand(false);
    setSaid("Key copied");
    onTaken("copied");
  }
  async function copy(): Promise<void> {
    setSaid("");
    if (await copyKey(vault)) return done();
    // the text is in the page only after the render that shows it
    flushSync(() => {
      if (text.current?.hidden) setShown(true);
      setByHand(true);
    });
    if (text.current) getSelection()?.selectAllChildren(text.current);
  }
  // copying by hand counts too, once the browser says that it copies this very text
  useListener(document, "copy", () => {
    if (vault.withValue((key) => getSelection()?.toString().trim() === key)) done();
  });

  return (
    <section aria-label="The new key" className="rounded-2 border border-brass-line bg-brass-bg px-4 py-3.5">
      <p className="flex justify-between gap-3 text-12 text-brass">
        <b dir="auto" className="min-w-0 truncate font-semibold">
          {record.name}
        </b>
        <span>{shown ? "Hidden again after 30 s" : "Hidden until you show it"}</span>
      </p>
      <SecretText vault={vault} label={record.label} shown={shown ?? false} ref={text} />
      <div className="flex flex-wrap gap-2">
        <Button
          ref={focusNow}
          variant="primary"
          className="min-w-28"
          icon={copied ? <Check size={14} aria-hidden="true" /> : <Copy size={14} aria-hidden="true" />}
          onClick={() => void copy()}
        >
          {copied ? "Copied" : "Copy key"}
        </Button>
        <Button
          aria-pressed={shown ?? false}
          icon={shown ? <EyeOff size={14} aria-hidden="true" /> : <Eye size={14} aria-hidden="true" />}
          onClick={() => {
            setByHand(false);
            setShown(shown ? null : true);
          }}
        >
          {shown ? "Hide" : "Show"}
        </Button>
        <Button
          icon={<Download size={14} aria-hidden="true" />}
          onClick={() => {
            downloadKey(vault, record.name, variable);
            setSaid("Key written to a file");
            onTaken("downloaded");
          }}
        >
          Download .env
        </Button>
      </div>
      {byHand && (
        <p role="alert" className="pt-2 text-12 text-brass">
          The browser refused to copy. The key is selected: press {apple() ? "⌘C" : "Ctrl+C"}.
        </p>
      )}
      <p role="status" className="sr-only">
        {said}
      </p>
    </section>
  );
}

/** The useful, harmless action has the focus when the key appears. */
function focusNow(button: HTMLElement | null): void {
  button?.focus();
}
