import { useState, type ReactNode } from "react";
import { CodeBlock } from "./CodeBlock.tsx";
import { codeText, type CodeToken } from "./code-tokens.ts";
import { cx } from "./cx.ts";
import { CopyButton } from "./CopyButton.tsx";
import { LinkButton } from "./LinkText.tsx";
import { Tabs } from "./Tabs.tsx";

export type SnippetLanguage = "curl" | "typescript" | "python";

const names: Record<SnippetLanguage, string> = { curl: "curl", typescript: "TypeScript", python: "Python" };
const languages = Object.keys(names) as SnippetLanguage[];
const storageKey = "gatehouse.language";

function remembered(): SnippetLanguage {
  try {
    const stored = localStorage.getItem(storageKey);
    return languages.find((language) => language === stored) ?? "curl";
  } catch {
    return "curl";
  }
}

export interface CodeTabsProps {
  label: string;
  snippets: Record<SnippetLanguage, readonly CodeToken[]>;
  /** What Copy puts on the clipboard, if not what is shown. */
  copyText?: ((language: SnippetLanguage) => string) | undefined;
  /** Next to Copy, such as a switch. */
  aside?: ReactNode;
}

/** The same call in three languages; the chosen one is remembered on this machine. */
export function CodeTabs({ label, snippets, copyText, aside }: CodeTabsProps) {
  const [language, setLanguage] = useState(remembered);
  const [wrap, setWrap] = useState(false);
  function choose(next: SnippetLanguage) {
    setLanguage(next);
    try {
      localStorage.setItem(storageKey, next);
    } catch {
      // Storage may be off; the choice then lasts as long as the page.
    }
  }
  return (
    <Tabs
      label={label}
      tabs={languages.map((value) => ({ value, label: names[value] }))}
      value={language}
      onChange={choose}
      aside={
        <span
          className={cx(
            "flex items-center gap-2 md:pl-3",
            aside !== undefined && "max-md:w-full max-md:justify-between",
          )}
        >
          {aside}
          <LinkButton aria-pressed={wrap} className="text-12" onClick={() => setWrap(!wrap)}>
            Wrap
          </LinkButton>
          <CopyButton
            label={`Copy the ${names[language]} snippet`}
            text={() => copyText?.(language) ?? codeText(snippets[language])}
          />
        </span>
      }
    >
      <CodeBlock flat wrap={wrap} label={`${label}, ${names[language]}`} tokens={snippets[language]} />
    </Tabs>
  );
}
