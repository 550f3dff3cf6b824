import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer } from "node:net";
import { expect, it } from "vitest";
import { createDispatcher } from "../providers/dispatcher.ts";
import { connectionMessage } from "../connection-message.ts";
import { createSend } from "./transport.ts";

it("says in words why there was no connection, and keeps what was reported", async () => {
  // Answers in plain HTTP and leaves the end to the caller: closing at once could reset the connection
  // before the answer was read.
  const server = createTcpServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.once("data", () => socket.write("HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n"));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  // The near end of an open connection: its port is taken, so that nobody else can begin to listen there.
  const client = connect(port, "127.0.0.1");
  await once(client, "connect");
  const dispatcher = createDispatcher({ refuse: () => null });
  const to = (url: string, headers: Record<string, string> = {}) =>
    createSend(dispatcher)({ method: "POST", url, headers, body: "{}" }, new AbortController().signal);
  expect(await to(`http://127.0.0.1:${port}/`, { "x-clickhouse-user": "Łukasz" })).toMatchObject({
    failed: expect.stringMatching(/^What is set for the header x-clickhouse-user must be one line of Latin characters/),
  });
  expect(await to(`https://127.0.0.1:${port}/`)).toMatchObject({
    failed: `That port of 127.0.0.1:${port} speaks plain HTTP. Use http instead of https`,
    raw: expect.stringContaining("ERR_SSL"),
  });
  expect(await to(`http://127.0.0.1:${client.localPort}/`)).toMatchObject({
    failed: `Nothing is listening at 127.0.0.1:${client.localPort}. Check the port, and that the program is running`,
    raw: expect.stringContaining("ECONNREFUSED"),
  });
  await dispatcher.destroy();
  client.destroy();
  await new Promise((resolve) => server.close(resolve));
  expect(connectionMessage("ENOTFOUND", "colector.example")).toMatch(/^No such host name: colector\.example/);
  expect(connectionMessage("EWHATEVER", "a")).toBeNull();
});

it("takes the status of a sink that dribbles what follows it, and waits for no more", async () => {
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/plain" });
    const timer = setInterval(() => response.write("."), 20);
    response.on("close", () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/in`;
  const dispatcher = createDispatcher({ refuse: () => null });
  const send = createSend(dispatcher, 100);
  const sent = await send({ method: "POST", url, headers: {}, body: "{}" }, new AbortController().signal);
  expect(sent).toMatchObject({ answer: { status: 200 } });
  await dispatcher.destroy();
  server.closeAllConnections();
  server.close();
});
