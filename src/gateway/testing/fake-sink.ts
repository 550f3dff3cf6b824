import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { patience } from "./eventually.ts";

export interface SinkRequestSeen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** undefined where the body is no JSON */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into requests whose shape is what they test
  readonly json: any;
  /** the generation ids of its OTLP spans */
  readonly ids: readonly string[];
}

/** How the sink answers a request; null: as a healthy one. */
export type SinkBehaviour = (request: SinkRequestSeen) => SinkReply | null;

export interface SinkReply {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly delayMs?: number;
  /** answers only then */
  readonly after?: Promise<unknown>;
  /** close the connection, write bytes that are no HTTP, or nothing at all, instead of an answer */
  readonly instead?: "reset" | "garbage" | "silence";
}

export interface FakeSink {
  readonly url: string;
  readonly port: number;
  /** the latest requests, in order: up to 5,000 */
  readonly requests: SinkRequestSeen[];
  /** the ids of all events that were accepted, in order, repeats included */
  readonly accepted: string[];
  behave(behaviour: SinkBehaviour | null): void;
  /** Waits until this many different events are accepted. @throws when no more come for a while, saying how many there are */
  until(count: number): Promise<void>;
  close(): Promise<void>;
}

/** A sink on this machine that takes OTLP/HTTP JSON, and anything else, and goes wrong on demand. */
export async function startFakeSink({ port = 0 }: { port?: number } = {}): Promise<FakeSink> {
  const requests: SinkRequestSeen[] = [];
  const accepted: string[] = [];
  const distinct = new Set<string>();
  let behaviour: SinkBehaviour | null = null;

  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("error", () => {});
    request.on("end", () => void respond());

    async function respond(): Promise<void> {
      const text = Buffer.concat(pieces).toString("utf8");
      const json = parsed(text);
      const { method = "", url: path = "", headers } = request;
      const seen: SinkRequestSeen = { method, path, headers, text, json, ids: idsIn(json) };
      requests.push(seen);
      if (requests.length > 5_000) requests.splice(0, 1_000);
      const reply = behaviour?.(seen) ?? {};
      if (reply.delayMs !== undefined) await wait(reply.delayMs);
      await reply.after;
      if (reply.instead === "silence") return;
      if (reply.instead === "reset") return void request.socket.destroy();
      if (reply.instead === "garbage") return void request.socket.end("\u0000 this is not HTTP at all\r\n\r\n");
      const status = reply.status ?? 200;
      if (status < 300) {
        for (const id of seen.ids) distinct.add(id);
        accepted.push(...seen.ids);
      }
      response.writeHead(status, { "content-type": "application/json", ...reply.headers });
      response.end(reply.body ?? "{}");
    }
  });
  // Only the other side ends an idle connection: ended here, it could take a request with it.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => void server.listen(port, "127.0.0.1", resolve));
  const address = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${address.port}`,
    port: address.port,
    requests,
    accepted,
    behave: (next) => void (behaviour = next),
    async until(count) {
      let ends = performance.now() + patience;
      for (let seen = distinct.size; distinct.size < count; await wait(10)) {
        if (distinct.size > seen) ends = performance.now() + patience;
        else if (performance.now() > ends) throw new Error(`the sink has ${seen} of ${count} events`);
        seen = distinct.size;
      }
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface Otlp {
  resourceSpans?: {
    scopeSpans?: { spans?: { attributes?: { key: string; value: { stringValue?: string } }[] }[] }[];
  }[];
}

function idsIn(json: unknown): string[] {
  const spans = ((json ?? {}) as Otlp).resourceSpans?.flatMap(({ scopeSpans }) =>
    (scopeSpans ?? []).flatMap((scope) => scope.spans ?? []),
  );
  return (spans ?? []).flatMap(
    ({ attributes }) => attributes?.find(({ key }) => key === "gatehouse.generation_id")?.value.stringValue ?? [],
  );
}
