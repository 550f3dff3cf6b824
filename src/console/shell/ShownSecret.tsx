import { Check, Copy, Eye, EyeOff } from "lucide-react";
import { useRef, useState, type ReactNode } from "react";
import { flushSync } from "react-dom";
import { capital } from "../format.ts";
import { Button } from "../ui/Button.tsx";
import { copyText } from "../ui/copy-text.ts";
import { useListener } from "../ui/use-listener.ts";
import { useTemporaryState } from "../ui/use-temporary-state.ts";
import { SecretText } from "./SecretText.tsx";
import type { Vault } from "./vault.ts";

const shownForMs = 30_000;
const apple = () => /Mac|iP(hone|ad)/.test(navigator.userAgent);

interface ShownSecretProps {
  vault: Vault;
  /** what it is, in a sentence and by itself: "key", "API key" */
  noun: string;
  term: string;
  /** what it is of */
  name: string;
  /** the server's masked label */
  label: string;
  onCopied: () => void;
  /** more ways to take it */
  children?: ReactNode;
}

/** A new secret, this once. Hidden until asked for, since screens are shared; copying works while it is hidden. */
export function ShownSecret({ vault, noun, term, name, label, onCopied, children }: ShownSecretProps) {
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
    setSaid(`${capital(noun)} copied`);
    onCopied();
  }
  async function copy(): Promise<void> {
    setSaid("");
    if (await vault.withValue(copyText)) return done();
    // the text is in the page only after the render that shows it
    flushSync(() => {
      if (text.current?.hidden) setShown(true);
      setByHand(true);
    });
    if (text.current) getSelection()?.selectAllChildren(text.current);
  }
  // copying by hand counts too, once the browser says that it copies this very text
  useListener(document, "copy", () => {
    if (vault.withValue((secret) => getSelection()?.toString().trim() === secret)) done();
  });

  return (
    <section aria-label={`The new ${noun}`} className="rounded-2 border border-brass-line bg-brass-bg px-4 py-3.5">
      <p className="flex justify-between gap-3 text-12 text-brass">
        <b dir="auto" className="min-w-0 truncate font-semibold">
          {name}
        </b>
        <span>{shown ? "Hidden again after 30 s" : "Hidden until you show it"}</span>
      </p>
      <SecretText vault={vault} term={term} label={label} shown={shown ?? false} ref={text} />
      <div className="flex flex-wrap gap-2">
        <Button
          ref={focusNow}
          variant="primary"
          className="min-w-28"
          icon={copied ? <Check size={14} aria-hidden="true" /> : <Copy size={14} aria-hidden="true" />}
          onClick={() => void copy()}
        >
          {copied ? "Copied" : `Copy ${noun}`}
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
        {children}
      </div>
      {byHand && (
        <p role="alert" className="pt-2 text-12 text-brass">
          The browser refused to copy. The {noun} is selected: press {apple() ? "⌘C" : "Ctrl+C"}.
        </p>
      )}
      <p role="status" className="sr-only">
        {said}
      </p>
    </section>
  );
}

/** The useful, harmless action has the focus when the secret appears. */
function focusNow(button: HTMLElement | null): void {
  button?.focus();
}
