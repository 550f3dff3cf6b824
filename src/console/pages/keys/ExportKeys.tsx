import { Download } from "lucide-react";
import { useRef, useState } from "react";
import { explain } from "../../api/error-messages.ts";
import { useReachable } from "../../api/connectivity.ts";
import { Button } from "../../ui/Button.tsx";
import { toast } from "../../ui/toast.ts";
import type { KeysQuery } from "./use-keys.ts";

interface ExportKeysProps {
  query: KeysQuery;
  /** as text: `214`, `10,000+` */
  count: string | undefined;
  workspace: string;
}

export interface KeyExport {
  label: string;
  disabledReason: string | false | undefined;
  /** starts it; while it runs, stops it */
  press: () => void;
  running: boolean;
}

/** Exports every key that matches, not only those on screen. */
export function useKeyExport({ query, count, workspace }: ExportKeysProps): KeyExport {
  const { reason } = useReachable();
  const [read, setRead] = useState<number | null>(null);
  const running = useRef<AbortController>(null);

  async function run(): Promise<void> {
    running.current = new AbortController();
    setRead(0);
    try {
      const { downloadKeys, readAllKeys } = await import("./export-keys.ts");
      const keys = await readAllKeys(query, running.current.signal, setRead);
      downloadKeys(keys, workspace);
      toast({ message: keys.length === 1 ? "1 key exported" : `${keys.length.toLocaleString("en-US")} keys exported` });
    } catch (error) {
      if (!running.current.signal.aborted) {
        toast({ message: "The keys were not exported.", detail: explain(error).title, tone: "trouble" });
      }
    } finally {
      running.current = null;
      setRead(null);
    }
  }

  if (read !== null) {
    return {
      label: `Stop the export, ${read.toLocaleString("en-US")} read`,
      disabledReason: undefined,
      press: () => running.current?.abort(),
      running: true,
    };
  }
  return {
    label: count === undefined ? "Export" : `Export ${count} ${count === "1" ? "row" : "rows"}`,
    disabledReason: reason ?? (count === "0" && "There is nothing to export"),
    press: () => void run(),
    running: false,
  };
}

/** On a phone the button is there only while the export runs; it starts from the menu. */
export function ExportButton({ of: { label, disabledReason, press, running } }: { of: KeyExport }) {
  return (
    <Button
      variant="quiet"
      className={running ? undefined : "max-md:hidden"}
      icon={running ? undefined : <Download size={14} aria-hidden="true" />}
      disabledReason={disabledReason}
      onClick={press}
    >
      {label}
    </Button>
  );
}
