import { createHash } from "node:crypto";
import { AwsV4Signer } from "aws4fetch";
import type { ForwardedEvent } from "#contract/forwarded-event.ts";
import { objectFolder } from "#contract/object-path.ts";
import { byStatus } from "./answer.ts";
import { type Format, member, type Sink, type SinkRequest, withHeaders } from "./format.ts";
import { rowOf } from "./record.ts";

/**
 * Objects of JSON lines in S3 or a store that speaks its API (PutObject, Signature Version 4). An object's name follows
 * from the calls in it, so that a repeat of the same batch writes the same object again.
 */
export const s3: Format = {
  most: { events: 5_000, bytes: 16_000_000 },
  async toRequests(sink, events, now) {
    const requests: Promise<SinkRequest>[] = [];
    for (const [folder, group] of Map.groupBy(events, (event) => folderOf(sink, event))) {
      requests.push(put(sink, { key: `${folder}${nameOf(group)}`, body: linesOf(group) }, now));
    }
    return await Promise.all(requests);
  },
  readAnswer(answer, now) {
    const verdict = byStatus(answer, now);
    // S3 answers 400 for wrong credentials, regions and clocks, never for what is inside an object.
    return verdict.verdict === "rejected" ? { verdict: "refused", message: verdict.message } : verdict;
  },
  toTest: (sink, now) =>
    put(
      sink,
      { key: `${member(sink, "prefix")}/.connection-test`, body: "", headers: { "x-test-connection": "true" } },
      now,
    ),
};

interface S3Object {
  readonly key: string;
  readonly body: string;
  readonly headers?: Record<string, string>;
}

async function put(sink: Sink, { key, body, headers: more = {} }: S3Object, now: Date): Promise<SinkRequest> {
  const { config } = sink;
  const url = `${bucketAddress(sink)}/${key.split("/").map(encodeURIComponent).join("/")}`;
  const signed = await new AwsV4Signer({
    method: "PUT",
    url,
    headers: { ...withHeaders(sink, { "content-type": "application/x-ndjson", ...more }) },
    body,
    accessKeyId: member(sink, "accessKeyId"),
    secretAccessKey: member(sink, "secretAccessKey"),
    ...(config["sessionToken"] === undefined ? {} : { sessionToken: config["sessionToken"] }),
    service: "s3",
    region: regionOf(sink),
    datetime: now.toISOString().replaceAll(/[-:]|\.\d{3}/g, ""),
  }).sign();
  const headers: Record<string, string> = {};
  for (const [name, value] of signed.headers) if (name !== "host") headers[name] = value;
  headers["x-amz-content-sha256"] ??= createHash("sha256").update(body).digest("hex");
  return { method: "PUT", url: signed.url.href, headers, body };
}

/** Own endpoints take the bucket in the path, which all of them understand; Amazon's takes it in the host name. */
function bucketAddress(sink: Sink): string {
  const bucket = member(sink, "bucketName");
  const { endpoint } = sink.config;
  if (endpoint !== undefined) return `${endpoint.replace(/\/+$/, "")}/${encodeURIComponent(bucket)}`;
  const region = regionOf(sink);
  return bucket.includes(".")
    ? `https://s3.${region}.amazonaws.com/${bucket}`
    : `https://${bucket}.s3.${region}.amazonaws.com`;
}

function regionOf({ config }: Sink): string {
  return config["region"] ?? (config["endpoint"] === undefined ? "us-east-1" : "auto");
}

function folderOf(sink: Sink, event: ForwardedEvent): string {
  return objectFolder(member(sink, "pathTemplate"), {
    prefix: member(sink, "prefix"),
    at: event.startedAt,
    keyName: event.keyName,
  });
}

function nameOf(events: readonly ForwardedEvent[]): string {
  const hash = createHash("sha256");
  for (const { id } of events) hash.update(id).update("\n");
  return `${events[0]?.id ?? "empty"}-${hash.digest("hex").slice(0, 12)}.jsonl`;
}

function linesOf(events: readonly ForwardedEvent[]): string {
  return events.map((event) => `${JSON.stringify(rowOf(event))}\n`).join("");
}
