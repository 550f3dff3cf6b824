import { useRef, useState } from "react";
import { explain } from "../api/error-messages.ts";
import { toast } from "../ui/toast.ts";

/** One export at a time: how many records it has read so far, null while none is running, and how to stop it. */
export function useExport(what: string) {
  const [read, setRead] = useState<number | null>(null);
  const running = useRef<AbortController>(null);
  async function start(save: (signal: AbortSignal, progress: (read: number) => void) => Promise<void>): Promise<void> {
    const { signal } = (running.current = new AbortController());
    setRead(0);
    try {
      await save(signal, setRead);
    } catch (error) {
      if (!signal.aborted) {
        toast({ message: `The ${what} were not exported.`, detail: explain(error).title, tone: "trouble" });
      }
    } finally {
      running.current = null;
      setRead(null);
    }
  }
  return { read, start, stop: () => running.current?.abort() };
}
