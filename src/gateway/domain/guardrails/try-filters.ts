import type { Output } from "#contract/endpoint.ts";
import type { TryContentFiltersBody, tryContentFilters } from "#contract/guardrails.ts";
import type { Context } from "../context.ts";
import { refuseUnlessManagement } from "../permission.ts";
import { invalid, Refusal } from "../refusal.ts";
import { refuseWrongFilters } from "./filters/refuse-wrong.ts";

type Tried = Output<typeof tryContentFilters>;

/** What filters would do to a user's message, by the same engine as for calls. Nothing of it is stored or sent. */
export async function tryFilters(ctx: Context, { text, ...body }: TryContentFiltersBody): Promise<Tried> {
  refuseUnlessManagement(ctx);
  if (!text.isWellFormed()) throw invalid("text", "must be text: it has half of a character");
  await refuseWrongFilters(ctx, body);
  const answer = await ctx.contentFilters.filter({
    filters: {
      patterns: (body.content_filters ?? []).map((filter) => ({ ...filter, label: filter.label ?? null })),
      builtins: body.content_filter_builtins ?? [],
    },
    form: "chat",
    body: Buffer.from(JSON.stringify({ messages: [{ role: "user", content: text }] })),
    owner: ctx.actor.name,
    signal: new AbortController().signal,
    isTrial: true,
  });
  switch (answer.kind) {
    case "blocked": {
      const patterns = answer.blocked.by === "injection" ? [...answer.blocked.patterns] : [];
      return { data: { action: "block", text: null, matches: [...answer.matches], patterns } };
    }
    case "passed": {
      const matches = [...answer.matches];
      const action = matches.length === 0 ? null : answer.body === null ? "flag" : "redact";
      return { data: { action, text: answer.body === null ? text : contentOf(answer.body), matches, patterns: [] } };
    }
    case "too_long":
      throw new Refusal("payload_too_large", "With what the filters put into it the text is too long");
    case "unreadable":
      throw new Error("filters could not read a message that was just made");
  }
}

function contentOf(body: ArrayBuffer): string {
  const { messages } = JSON.parse(Buffer.from(body).toString("utf8")) as { messages: { content: string }[] };
  return messages[0]?.content ?? "";
}
