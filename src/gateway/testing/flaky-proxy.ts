import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { reservedPort } from "./port.ts";

/** A proxy to a server that can be cut and restored: its connections are gone while it is cut. Or it goes silent. */
export interface FlakyProxy {
  readonly port: number;
  cut(): Promise<void>;
  mend(): Promise<void>;
  /** from now on nothing passes on the connections that are open, and none is closed; new ones work */
  silence(): void;
  close(): Promise<void>;
}

export async function flakyProxy(target: { host: string; port: number }): Promise<FlakyProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((incoming) => {
    const outgoing = connect(target.port, target.host);
    for (const [socket, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(socket);
      socket.pipe(other);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  const port = await reservedPort();
  const mend = async () => void (await once(server.listen(port, "127.0.0.1"), "listening"));
  await mend();
  async function cut(): Promise<void> {
    if (!server.listening) return;
    const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
    for (const socket of sockets) socket.destroy();
    await closed;
  }
  function silence(): void {
    for (const socket of sockets) socket.unpipe().resume();
  }
  return { port, cut, mend, silence, close: cut };
}
