import { Download } from "lucide-react";
import { useRef, useState } from "react";
import type { KeyRecord } from "#contract/keys.ts";
import { explain } from "../../api/explain.ts";
import { useReachable } from "../../api/reachable.ts";
import { Button } from "../../ui/Button.tsx";
import { toast } from "../../ui/toast.ts";
import { downloadKeys, readAllKeys } from "./export-keys.ts";
import type { KeysQuery } from "./use-keys.ts";

interface ExportKeysProps {
  query: KeysQuery;
  /** what the gateway can't filter by */
  passes: (key: KeyRecord) => boolean;
  /** as text: `214`, `10,000+` */
  count: string | undefined;
  workspace: string;
}

/** Exports every key that matches, not only those on screen. */
export function ExportKeys({ query, passes, count, workspace }: ExportKeysProps) {
  const { reason } = useReachable();
  const [read, setRead] = useState<number | null>(null);
  const running = useRef<AbortController>(null);

  async function run(): Promise<void> {
    running.current = new AbortController();
    setRead(0);
    try {
      const keys = (await readAllKeys(query, running.current.signal, setRead)).filter(passes);
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
    return (
      <Button variant="quiet" onClick={() => running.current?.abort()}>
        Stop the export, {read.toLocaleString("en-US")} read
      </Button>
    );
  }
  return (
    <Button
      variant="quiet"
      className="max-md:hidden"
      icon={<Download size={14} aria-hidden="true" />}
      disabledReason={reason ?? (count === "0" && "There is nothing to export")}
      onClick={() => void run()}
    >
      {count === undefined ? "Export" : `Export ${count} ${count === "1" ? "row" : "rows"}`}
    </Button>
  );
}
