import { Download } from "lucide-react";
import { useReachable } from "../../api/connectivity.ts";
import { useExport } from "../../shell/use-export.ts";
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
  const { read, start, stop } = useExport("keys");
  const press = () =>
    void start(async (signal, progress) => {
      const { downloadKeys, readAllKeys } = await import("./export-keys.ts");
      const keys = await readAllKeys(query, signal, progress);
      downloadKeys(keys, workspace);
      toast({ message: keys.length === 1 ? "1 key exported" : `${keys.length.toLocaleString("en-US")} keys exported` });
    });

  if (read !== null) {
    return {
      label: `Stop the export, ${read.toLocaleString("en-US")} read`,
      disabledReason: undefined,
      press: stop,
      running: true,
    };
  }
  return {
    label: count === undefined ? "Export" : `Export ${count} ${count === "1" ? "row" : "rows"}`,
    disabledReason: reason ?? (count === "0" && "There is nothing to export"),
    press,
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
