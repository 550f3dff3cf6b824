import { Download } from "lucide-react";
import { useState } from "react";
import { ShownSecret } from "../../shell/ShownSecret.tsx";
import { Button } from "../../ui/Button.tsx";
import { downloadKey } from "./copy-key.ts";
import type { KeyVariable } from "./env-file.ts";
import type { Made, ShownOnce } from "./make-key.ts";

interface KeySecretProps {
  made: Made<ShownOnce>;
  variable: KeyVariable;
  onTaken: (how: "copied" | "downloaded") => void;
}

/** The key and the ways to take it. */
export function KeySecret({ made: { record, vault }, variable, onTaken }: KeySecretProps) {
  const [said, setSaid] = useState("");
  return (
    <ShownSecret
      vault={vault}
      noun="key"
      term="API key"
      name={record.name}
      label={record.label}
      onCopied={() => {
        setSaid("");
        onTaken("copied");
      }}
    >
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
      <p role="status" className="sr-only">
        {said}
      </p>
    </ShownSecret>
  );
}
