import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { createDispatcher } from "../providers/dispatcher.ts";
import { createSend } from "./transport.ts";

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
