import { Check, Copy, Download, Eye, EyeOff } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { Ref } from "react";
import { Button } from "../../ui/Button.tsx";
import { SecretText } from "./SecretText.tsx";
import { copyKey, downloadKey } from "./take-key.ts";
import type { Made } from "./make-key.ts";

const shownForMs = 30_000;
const apple = () => /Mac|iP(hone|ad)/.test(navigator.userAgent);

interface KeyToTakeProps {
  made: Made;
  copyButton: Ref<HTMLButtonElement>;
  onTaken: (how: "copied" | "downloaded") => void;
}

/** The key and the ways to take it. Hidden until asked for, since screens are shared; copying works while it is hidden. */
export function KeyToTake({ made: { record, vault }, copyButton, onTaken }: KeyToTakeProps) {
  const text = useRef<HTMLElement>(null);
  const { shown, setShown } = useShown();
  const [copied, setCopied] = useState(false);
  const [byHand, setByHand] = useState(false);
  const [said, setSaid] = useState("");
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [copied]);

  function done(): void {
    setCopied(true);
    setByHand(false);
    setSaid("Key copied");
    onTaken("copied");
  }
  async function copy(): Promise<void> {
    setSaid("");
    if (await copyKey(vault)) return done();
    setShown(true);
    setByHand(true);
  }
  // the text is in the page only after the render that shows it
  useEffect(() => {
    if (byHand && shown && text.current) getSelection()?.selectAllChildren(text.current);
  }, [byHand, shown]);
  // copying by hand counts too, once the browser says that it copies this very text
  useEffect(() => {
    const onCopy = () => {
      if (vault.withValue((key) => getSelection()?.toString().trim() === key)) done();
    };
    document.addEventListener("copy", onCopy);
    return () => document.removeEventListener("copy", onCopy);
  });

  return (
    <section aria-label="The new key" className="rounded-2 border border-brass-line bg-brass-bg px-4 py-3.5">
      <p className="flex justify-between gap-3 text-12 text-brass">
        <b dir="auto" className="min-w-0 truncate font-semibold">
          {record.name}
        </b>
        <span>{shown ? "Hidden again after 30 s" : "Hidden, so that a shared screen stays safe"}</span>
      </p>
      <SecretText vault={vault} label={record.label} shown={shown} ref={text} />
      <div className="flex flex-wrap gap-2">
        <Button
          ref={copyButton}
          variant="primary"
          className="min-w-28"
          icon={copied ? <Check size={14} aria-hidden="true" /> : <Copy size={14} aria-hidden="true" />}
          onClick={() => void copy()}
        >
          {copied ? "Copied" : "Copy key"}
        </Button>
        <Button
          aria-pressed={shown}
          icon={shown ? <EyeOff size={14} aria-hidden="true" /> : <Eye size={14} aria-hidden="true" />}
          onClick={() => {
            setByHand(false);
            setShown(!shown);
          }}
        >
          {shown ? "Hide" : "Show"}
        </Button>
        <Button
          icon={<Download size={14} aria-hidden="true" />}
          onClick={() => {
            downloadKey(vault, record.name);
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

/** Shown for 30 s at most, and never in a tab or window that is not in front. */
function useShown(): { shown: boolean; setShown: (shown: boolean) => void } {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (!shown) return undefined;
    const hide = () => setShown(false);
    const timer = setTimeout(hide, shownForMs);
    document.addEventListener("visibilitychange", hide);
    window.addEventListener("blur", hide);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", hide);
      window.removeEventListener("blur", hide);
    };
  }, [shown]);
  return { shown, setShown };
}
