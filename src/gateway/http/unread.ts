import type { Server, ServerResponse } from "node:http";

/**
 * Ends connections whose caller has read nothing of its answer for this long: its memory would otherwise be held
 * forever. Streams of events and of audio handle this themselves: they may have nothing to send for longer than that.
 */
export function endUnread(server: Server, mostMs: number): void {
  server.prependListener("request", (_, response: ServerResponse) => {
    // Node counts a pending write as activity, and destroys a connection that has none.
    const watch = () => void response.socket?.setTimeout(mostMs);
    response.once("pipe", () => {
      if (!/^(text\/event-stream|audio\/)/.test(String(response.getHeader("content-type")))) watch();
    });
    response.once("prefinish", watch);
    // Runs before Node's own listener, which sets the idle timeout.
    response.prependOnceListener("finish", () => response.socket?.setTimeout(0));
  });
}
