// A server that does nothing, for bench/overload.ts: what it takes is the machine's. Prints its port.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const server = createServer((_, response) => void response.end("{}"));
server.listen(0, "127.0.0.1", () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
