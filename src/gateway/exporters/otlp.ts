import type { ForwardedEvent } from "#contract/forwarded-event.ts";
import { byStatus } from "./answer.ts";
import { type Format, type Sink, type SinkAnswer, type SinkRequest, type Verdict, withHeaders } from "./format.ts";
import { toProtobuf } from "./otlp-protobuf.ts";
import { attributes, type AttributeValue, spanOf } from "./otlp-span.ts";

/** What one vendor's OTLP/HTTP endpoint needs: its address, its authentication, and the attributes it also reads. */
export interface OtlpVendor {
  url(sink: Sink): string;
  method?(sink: Sink): "POST" | "PUT";
  headers?(sink: Sink): Record<string, string>;
  /** sent once for all spans of a request */
  resource?(sink: Sink): Record<string, AttributeValue>;
  /** sent for each span in addition to the GenAI conventions */
  span?(event: ForwardedEvent, sink: Sink): Record<string, AttributeValue>;
  testPasses?: readonly number[];
  /** accepts only protobuf */
  protobuf?: true;
}

const none = {};

/** OTLP/HTTP (opentelemetry.io/docs/specs/otlp), one span for each call: as JSON, or as protobuf where a vendor takes nothing else. */
export function otlp(vendor: OtlpVendor): Format {
  const cache = vendor.span === undefined ? sharedSpans : new WeakMap<ForwardedEvent, string>();
  const jsonOf = (event: ForwardedEvent, sink: Sink) => {
    let json = cache.get(event);
    if (json === undefined) {
      json = JSON.stringify(spanOf(event, vendor.span?.(event, sink) ?? none));
      cache.set(event, json);
    }
    return json;
  };
  const requestOf = (sink: Sink, body: Body, more: Record<string, string>): SinkRequest => ({
    method: vendor.method?.(sink) ?? "POST",
    url: vendor.url(sink),
    headers: withHeaders(sink, { ...vendor.headers?.(sink), ...more }),
    ...body,
  });
  const sent = async (request: SinkRequest): Promise<SinkRequest> =>
    vendor.protobuf === undefined
      ? request
      : {
          ...request,
          headers: { ...request.headers, "content-type": "application/x-protobuf" },
          bytes: await toProtobuf(request.body),
        };
  return {
    most: { events: 512, bytes: 4_000_000 },
    async toRequests(sink, events) {
      const resource = resourceOf(vendor, sink);
      const write = () =>
        payload(
          resource,
          events.map((event) => jsonOf(event, sink)),
        );
      const own = vendor.span !== undefined;
      return [await sent(requestOf(sink, own ? { body: write() } : sharedBody(events, resource, write), none))];
    },
    readAnswer,
    toTest: (sink) => sent(requestOf(sink, { body: '{"resourceSpans":[]}' }, { "x-test-connection": "true" })),
    ...(vendor.testPasses === undefined ? {} : { testPasses: vendor.testPasses }),
  };
}

/** Several destinations that receive the same event need the same bytes. */
const sharedSpans = new WeakMap<ForwardedEvent, string>();

type Body = Pick<SinkRequest, "body" | "bytes">;

interface SharedBody extends Body {
  readonly last: ForwardedEvent | undefined;
  readonly count: number;
  readonly resource: string;
}

/** By the first event: whole requests too, for destinations at the same position. */
const sharedBodies = new WeakMap<ForwardedEvent, SharedBody>();

function sharedBody(events: readonly ForwardedEvent[], resource: string, write: () => string): Body {
  const [first] = events;
  const last = events.at(-1);
  const known = first === undefined ? undefined : sharedBodies.get(first);
  if (known !== undefined && known.last === last && known.count === events.length && known.resource === resource) {
    return { body: known.body, ...(known.bytes === undefined ? {} : { bytes: known.bytes }) };
  }
  const body = write();
  const bytes = Buffer.from(body);
  if (first !== undefined) sharedBodies.set(first, { body, bytes, last, count: events.length, resource });
  return { body, bytes };
}

function resourceOf(vendor: OtlpVendor, sink: Sink): string {
  return JSON.stringify({ attributes: attributes({ "service.name": "gatehouse", ...vendor.resource?.(sink) }) });
}

function payload(resource: string, spans: readonly string[]): string {
  return `{"resourceSpans":[{"resource":${resource},"scopeSpans":[{"scope":{"name":"gatehouse"},"spans":[${spans.join(",")}]}]}]}`;
}

/** A 2xx answer may still say that spans were rejected, without saying which. */
function readAnswer(answer: SinkAnswer, now: Date): Verdict {
  const verdict = byStatus(answer, now);
  if (verdict.verdict !== "accepted" || !answer.body.includes("rejected")) return verdict;
  const rejected = rejectedSpans(answer.body);
  return rejected === null ? verdict : { verdict: "rejected", message: `rejected ${rejected}` };
}

function rejectedSpans(body: string): string | null {
  try {
    const json = JSON.parse(body) as { partialSuccess?: { rejectedSpans?: unknown; errorMessage?: unknown } } | null;
    const count = Number(json?.partialSuccess?.rejectedSpans ?? 0);
    if (!(count > 0)) return null;
    const why = json?.partialSuccess?.errorMessage;
    return `${count} of the spans${typeof why === "string" && why !== "" ? `: ${why.slice(0, 300)}` : ""}`;
  } catch {
    return null;
  }
}
