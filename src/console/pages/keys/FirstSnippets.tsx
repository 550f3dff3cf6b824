import { useState } from "react";
import { CodeTabs } from "../../ui/CodeTabs.tsx";
import { Switch } from "../../ui/Switch.tsx";
import { FirstCallChoice } from "../../shell/FirstCallChoice.tsx";
import { snippetTokens, withKey } from "../../shell/snippets.ts";
import { useFirstSnippets } from "../../shell/use-first-snippets.ts";
import type { Vault } from "../../shell/vault.ts";

/**
 * A first call in three languages, with the variable's name. With a vault, a switch lets Copy put the real key in its
 * place; what is rendered does not change.
 */
export function FirstSnippets({ vault }: { vault?: Vault }) {
  const [real, setReal] = useState(false);
  const { snippets, choice } = useFirstSnippets();
  return (
    <div>
      <FirstCallChoice choice={choice} />
      <CodeTabs
        label="A first call"
        snippets={snippetTokens(snippets)}
        copyText={(language) =>
          (real ? vault?.withValue((key) => withKey(language, snippets[language], key)) : null) ?? snippets[language]
        }
        aside={vault && <Switch label="Copy with the real key" checked={real} onChange={setReal} />}
      />
      <p className="pt-1.5 text-12 text-fg-3">
        {real
          ? "The copy has the key in it: run it, and do not keep it."
          : "It reads the key from the environment variable GATEHOUSE_API_KEY."}
      </p>
    </div>
  );
}
