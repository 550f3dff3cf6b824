import type { Dispatcher } from "undici";
import type { Sinks } from "../domain/destinations/destination-client.ts";
import { formats, sinkOf } from "../exporters/formats.ts";
import { redact, withoutSecrets } from "./redact.ts";
import { createSend } from "./transport.ts";

const patienceMs = 15_000;

/** What the API needs from the exporters: what would be sent, and whether it would arrive. */
export function openSinks(dispatcher: Dispatcher, now: () => Date): Sinks {
  const send = createSend(dispatcher);
  return {
    async preview(type, config, events) {
      const requests = await formats[type].toRequests(sinkOf(type, config), events, now());
      return requests.map(({ method, url, headers, body }) => ({ method, url, headers: { ...headers }, body }));
    },
    async test(type, config) {
      const sink = sinkOf(type, config);
      const format = formats[type];
      const request = await format.toTest(sink, now());
      const about = { method: request.method, url: redact(request.url.replace(/[?#].*$/s, ""), sink) };
      const began = performance.now();
      const sent = await send(request, AbortSignal.timeout(patienceMs)).catch(() => ({
        failed: `It did not answer within ${patienceMs / 1_000} seconds`,
        raw: "no answer in time",
        code: "timeout",
      }));
      const latency_ms = Math.round(performance.now() - began);
      if ("failed" in sent) {
        const failed = stepThatFailed(sent.code);
        const message = redact(sent.failed, sink, request.headers);
        const raw = redact(sent.raw, sink, request.headers);
        const steps = stepNames
          .slice(0, stepNames.indexOf(failed) + 1)
          .map((step) => ({ step, ok: step !== failed, detail: step === failed ? raw : "" }));
        return { passed: false, steps, status: null, body: null, message, latency_ms, request: about };
      }
      const { status } = sent.answer;
      const body = withoutSecrets(sent.answer.body, sink, request.headers);
      const verdict = format.readAnswer({ ...sent.answer, body }, now());
      const passed = verdict.verdict === "accepted" || (format.testPasses ?? []).includes(status);
      const message =
        passed || !("message" in verdict) ? `answered ${status}` : redact(verdict.message, sink, request.headers);
      return {
        passed,
        steps: [
          { step: "address", ok: true, detail: "" },
          { step: "connection", ok: true, detail: `${latency_ms} ms` },
          { step: "answer", ok: passed, detail: message },
        ],
        status,
        body: redact(body, sink, request.headers),
        message,
        latency_ms,
        request: about,
      };
    },
  };
}

const stepNames = ["address", "connection", "answer"] as const;

/** How far it got: the name, the connection (including TLS), or the answer. */
function stepThatFailed(code: string | null): (typeof stepNames)[number] {
  if (code === "address_refused" || code === "ENOTFOUND" || code === "EAI_AGAIN") return "address";
  if (code !== null && /TIMEOUT|timeout|HPE|UND_ERR_(HEADERS|BODY|SOCKET)/.test(code) && !/CONNECT/.test(code))
    return "answer";
  return "connection";
}
