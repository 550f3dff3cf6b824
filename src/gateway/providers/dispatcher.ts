import { lookup, type LookupAddress, type LookupAllOptions, type LookupOptions } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { Agent, buildConnector } from "undici";

/** An address that may not be connected to; `message` says why. Nothing was sent. */
export class AddressRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = "AddressRefused";
  }
}

export interface DispatcherOptions {
  /** why an IP address may not be connected to; null when it may */
  refuse: (address: string) => string | null;
  connectTimeoutMs?: number;
  /** asks for the addresses of a name; the machine's own resolver unless told otherwise */
  resolve?: Resolve;
  /** most connections per origin: as many chat streams can be held open at once */
  connections?: number;
}

type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

const unconnected = new WeakSet<Error>();

/** Whether an error occurred before the connection was established, handshake included: nothing was sent. */
export function isUnconnected(error: unknown): boolean {
  return error instanceof AddressRefused || (error instanceof Error && unconnected.has(error));
}

/**
 * The one way out to addresses that people set. A name is resolved once, the result is checked, and the connection goes
 * to the very address that was checked, so a name cannot change in between (DNS rebinding). Redirects are not followed,
 * so none can bypass the check.
 */
export function createDispatcher({
  refuse,
  connectTimeoutMs = 10_000,
  resolve = lookup,
  connections = 10_000,
}: DispatcherOptions): Agent {
  const connect = buildConnector({ timeout: connectTimeoutMs, lookup: guardedLookup(refuse, resolve), allowH2: false });
  return new Agent({
    connections,
    keepAliveTimeout: 30_000,
    headersTimeout: 300_000,
    bodyTimeout: 300_000,
    connect: (options, callback) => {
      const host = options.hostname.replace(/^\[|\]$/g, "");
      const reason = isIP(host) ? refuse(host) : null;
      if (reason !== null) return callback(new AddressRefused(reason), null);
      connect(options, (...[error, socket]) => {
        if (error === null) return callback(null, socket);
        unconnected.add(error);
        callback(error, null);
      });
    },
  });
}

function guardedLookup(refuse: DispatcherOptions["refuse"], resolve: Resolve): LookupFunction {
  return (hostname: string, options: LookupOptions, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error) return callback(error, "", 0);
      const allowed = addresses.filter(({ address }) => refuse(address) === null);
      const [first] = allowed;
      if (!first) {
        const [refused] = addresses;
        const reason = refused ? (refuse(refused.address) ?? "") : "no address";
        return callback(new AddressRefused(`${hostname}: ${reason}`), "", 0);
      }
      return options.all ? callback(null, allowed) : callback(null, first.address, first.family);
    });
  };
}
