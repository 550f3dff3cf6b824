import { blankEvent, type ForwardedEvent } from "#contract/forwarded-event.ts";

/** A made-up call, for previews before the first real one. */
export function exampleEvent(workspaceId: string, now: Date): ForwardedEvent {
  return {
    ...blankEvent,
    id: `gen-${String(now.getTime()).padStart(13, "0")}-exampleexampleexam`,
    startedAt: new Date(now.getTime() - 840),
    endedAt: now,
    workspaceId,
    keyHash: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    keyName: "an example key",
    model: "example/model",
    provider: "example",
    providerName: "Example",
    upstreamId: "chatcmpl-example",
    finishReason: "stop",
    promptTokens: 12,
    completionTokens: 7,
    cost: 0.000026,
    byokCost: 0,
    latencyMs: 310,
    durationMs: 840,
    userId: "user-1",
    sessionId: "session-1",
    preset: "example",
    presetVersion: 1,
    contentFilters: [{ label: "EMAIL", action: "redact", count: 1 }],
    trace: { trace_name: "an example" },
    referer: "https://app.example.com",
    appTitle: "An example",
    userAgent: "example/1.0",
    requestId: "req-example",
    input: [{ role: "user", content: "What does a gatehouse do?" }],
    output: [{ index: 0, message: { role: "assistant", content: "It decides who passes." }, finish_reason: "stop" }],
  };
}
