import { once } from "node:events";
import type { Server as HttpServer } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import type { FastifyInstance } from "fastify";

declare module "fastify" {
  interface FastifyInstance {
    /** Listens with several sockets. @throws the error of `listen`, such as EADDRINUSE */
    listenWithMany(at: ListenAt): Promise<void>;
  }
}

export interface ListenAt {
  readonly host: string;
  /** 0: any that is free */
  readonly port: number;
  /** connections that wait to be accepted, for each socket */
  readonly backlog: number;
}

/** Connections that a round of the event loop accepts: libuv accepts one for each listening socket. */
const socketsPerAddress = 16;

/**
 * Lets a server listen with several sockets on one port, so that callers who connect while thousands of others do are
 * accepted in a moment. The kernel spreads connections over the sockets; all of them count as the server's own.
 */
export function acceptMany(app: FastifyInstance): void {
  const more: Server[] = [];
  const { server } = app;
  const inject = injector(server);
  app.addHook("preClose", (done) => {
    for (const one of more) one.close();
    done();
  });
  app.decorate("listenWithMany", async ({ host, port, backlog }) => {
    // The kernel's choice of a free port is never one that somebody shares.
    if (port !== 0) await expectFree(host, port);
    // Fastify's types do not know of `reusePort`, and it passes on what it is given.
    const shared = { host, port, backlog, reusePort: true };
    await app.listen(shared);
    for (const { address, port: taken } of app.addresses() as AddressInfo[]) {
      for (let count = 1; count < socketsPerAddress; count += 1) {
        // as node:http makes its own
        const one = createServer({ allowHalfOpen: true, noDelay: true }, inject);
        one.listen({ ...shared, host: address, port: taken });
        await once(one, "listening");
        more.push(one);
      }
    }
  });
}

/**
 * Makes certain that nobody listens on the port: sockets that share it would share it with another gateway as well, and
 * each would get half of the calls.
 * @throws the error of `listen`, such as EADDRINUSE
 */
async function expectFree(host: string, port: number): Promise<void> {
  const alone = createServer().listen({ host, port, exclusive: true });
  await once(alone, "listening");
  alone.close();
  await once(alone, "close");
}

/** Gives a server connections that it did not accept itself. `maxConnections` holds for all of them together. */
function injector(server: HttpServer): (socket: Socket) => void {
  let most = Number.POSITIVE_INFINITY;
  let open = 0;
  let injected = 0;
  server.on("connection", (socket: Socket) => {
    open += 1;
    socket.once("close", () => (open -= 1));
  });
  return (socket) => {
    // Node's types forget that nobody may have set it.
    if (injected === 0) most = server.maxConnections ?? Number.POSITIVE_INFINITY;
    if (open >= most) {
      socket.destroy();
      server.emit("drop");
      return;
    }
    const count = (change: number) => {
      injected += change;
      server.maxConnections = most - injected;
    };
    count(1);
    socket.once("close", () => count(-1));
    server.emit("connection", socket);
  };
}
