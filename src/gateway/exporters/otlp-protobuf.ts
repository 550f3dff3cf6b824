/** The class that the OpenTelemetry project generates from its protobuf definitions; its own types leave it out. */
interface ExportTraceServiceRequest {
  fromObject(json: object): object;
  encode(message: object): { finish(): Uint8Array };
}
interface Generated {
  opentelemetry: { proto: { collector: { trace: { v1: { ExportTraceServiceRequest: ExportTraceServiceRequest } } } } };
}

/**
 * OTLP's JSON as the corresponding protobuf message (opentelemetry.io/docs/specs/otlp). The classes are loaded with the
 * first message: few destinations need them.
 * @param json with hexadecimal ids, where protobuf's own JSON mapping would use base64
 */
export async function toProtobuf(json: string): Promise<Buffer> {
  const { default: root } = await import("@opentelemetry/otlp-transformer/build/src/generated/root.js");
  const { ExportTraceServiceRequest } = (root as unknown as Generated).opentelemetry.proto.collector.trace.v1;
  const message = JSON.parse(json, (key: string, value: unknown) =>
    /^(trace|span|parentSpan)Id$/.test(key) ? Buffer.from(String(value), "hex") : value,
  ) as object;
  return Buffer.from(ExportTraceServiceRequest.encode(ExportTraceServiceRequest.fromObject(message)).finish());
}
