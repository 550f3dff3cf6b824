import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A way to a server that can be cut and mended: what stands between is gone while it is cut. */
export interface Cuttable {
  readonly port: number;
  cut(): Promise<void>;
  mend(): Promise<void>;
  close(): Promise<void>;
}

export async function cuttable(target: { host: string; port: number }): Promise<Cuttable> {
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
  const listen = (port: number) => new Promise<void>((resolve) => void server.listen(port, "127.0.0.1", resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  async function cut(): Promise<void> {
    if (!server.listening) return;
    const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
    for (const socket of sockets) socket.destroy();
    await closed;
  }
  return { port, cut, mend: () => listen(port), close: cut };
}
