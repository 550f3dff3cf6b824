import { once } from "node:events";
import { createServer } from "node:net";

/** Where systems take the ports from that they choose themselves, for listeners and for the near ends of connections. */
const firstChosen = 32_768;
const few = 12_000;

/**
 * A free port for what cannot take whichever the system chooses, or comes back to the same one later. No system chooses
 * it for anybody else meanwhile.
 */
export async function reservedPort(): Promise<number> {
  for (;;) {
    const port = firstChosen - 1 - Math.floor(Math.random() * few);
    const probe = createServer();
    try {
      await once(probe.listen(port, "127.0.0.1"), "listening");
    } catch {
      // Somebody listens there: another one.
      continue;
    }
    await new Promise((resolve) => probe.close(resolve));
    return port;
  }
}
