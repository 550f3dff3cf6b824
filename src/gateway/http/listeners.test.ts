import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { fastify, type FastifyInstance } from "fastify";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { acceptMany } from "./listeners.ts";

const host = "127.0.0.1";

// Sockets that share a port fairly are Linux's.
describe.runIf(process.platform === "linux")("a server with several sockets on one port", () => {
  let app: FastifyInstance;
  let port: number;
  let callers: Socket[];

  beforeEach(async () => {
    callers = [];
    app = fastify();
    acceptMany(app);
    app.get("/", async () => "served");
    await app.listenWithMany({ host, port: 0, backlog: 511 });
    port = (app.server.address() as AddressInfo).port;
  });
  afterEach(async () => {
    for (const caller of callers) caller.destroy();
    await app.close();
  });

  function call(): Socket {
    const caller = connect({ host, port });
    caller.on("error", () => {});
    callers.push(caller);
    return caller;
  }

  async function connected(count: number): Promise<Socket[]> {
    const made = Array.from({ length: count }, call);
    await Promise.all(made.map((caller) => once(caller, "connect")));
    return made;
  }

  it("accepts many connections in one round of the event loop", async () => {
    let inRound = 0;
    let most = 0;
    let accepted = 0;
    const all = Promise.withResolvers<void>();
    app.server.on("connection", () => {
      if (inRound === 0) setImmediate(() => (inRound = 0));
      inRound += 1;
      most = Math.max(most, inRound);
      if ((accepted += 1) === 128) all.resolve();
    });
    for (let count = 0; count < 128; count += 1) call();
    // the kernel has taken them all by the end of this, before the next poll
    await new Promise((resolve) => process.nextTick(resolve));
    const end = performance.now() + 50;
    while (performance.now() < end);
    await all.promise;
    expect(most).toBeGreaterThan(4);
  });

  it("serves what every socket accepted, on connections that stay open", async () => {
    const answers = await Promise.all(
      (await connected(64)).map(async (caller) => {
        caller.write(`GET / HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
        const [first] = (await once(caller, "data")) as [Buffer];
        caller.write(`GET / HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
        const [second] = (await once(caller, "data")) as [Buffer];
        return [first, second].every((answer) => answer.toString().endsWith("served"));
      }),
    );
    expect(answers.every(Boolean)).toBe(true);
  });

  it("has as many connections as it may, whichever socket accepted them, and room again when one ends", async () => {
    app.server.maxConnections = 20;
    Object.assign(app.server, { dropMaxConnection: true });
    let dropped = 0;
    app.server.on("drop", () => (dropped += 1));
    const made = await connected(60);
    const left = () => made.filter(({ closed }) => !closed);
    await expect.poll(() => left().length).toBe(20);
    expect(dropped).toBe(40);
    for (const caller of left()) caller.destroy();
    await expect
      .poll(async () => {
        const caller = call();
        caller.write(`GET / HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
        const answer = await Promise.race([once(caller, "data"), once(caller, "close")]);
        return String(answer[0]).endsWith("served");
      })
      .toBe(true);
  });

  it("shares its port with nobody: EADDRINUSE for another one like it, and for any other", async () => {
    const other = fastify();
    acceptMany(other);
    await expect(other.listenWithMany({ host, port, backlog: 511 })).rejects.toMatchObject({ code: "EADDRINUSE" });
    await other.close();
    const plain = createServer().listen({ host, port });
    expect(await once(plain, "error")).toMatchObject([{ code: "EADDRINUSE" }]);
  });

  it("is heard on no socket after its end", async () => {
    await app.close();
    const refused = await Promise.all(
      Array.from({ length: 64 }, async () => {
        const caller = connect({ host, port });
        const [error] = (await once(caller, "error")) as [NodeJS.ErrnoException];
        return error.code;
      }),
    );
    expect(new Set(refused)).toEqual(new Set(["ECONNREFUSED"]));
  });
});
