import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { HumanMessage, ToolMessage } from "@langchain/core/messages";
import { tool as langchainTool } from "@langchain/core/tools";
import { ChatOpenRouter } from "@langchain/openrouter";
import { createOpenRouter } from "@openrouter/ai-sdk-provider";
import { generateText, isStepCount, type LanguageModel, streamText, tool } from "ai";
import Anthropic from "anthropic-sdk-1-12-0";
import { betaZodTool } from "anthropic-sdk-1-12-0/helpers/beta/zod";
import OpenAI from "openai";
import { beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { describeGateway } from "../testing/describe-gateway.ts";
import { makeKey } from "../testing/factories.ts";
import { type Kind, withLoopVendors } from "../testing/loop-vendors.ts";
import { type LoopLog, playToolLoop, weatherTurns } from "../testing/tool-loop-vendor.ts";

const prompt = "How warm is it in Paris and in Rome, and what time is it?";
const answer = weatherTurns.at(-1)?.text;
/** What the model calls, in this order. */
const wanted = weatherTurns.flatMap(({ calls }) => calls.map(({ name, args }) => [name, args]));

interface Loop {
  readonly address: string;
  readonly key: string;
  readonly model: string;
  readonly streamed: boolean;
  /** runs a tool. @returns what it says */
  readonly run: (name: string, args: object) => string;
}

const city = z.object({ city: z.string() });
const nothing = z.object({});
const sdkTools = (run: Loop["run"]) => ({
  get_weather: tool({ inputSchema: city, execute: (args) => run("get_weather", args) }),
  get_time: tool({ inputSchema: nothing, execute: (args) => run("get_time", args) }),
});

/** A loop of `ai`, with the tools and nothing else. */
async function loopOf(model: LanguageModel, { run, streamed }: Loop, providerOptions?: object): Promise<string> {
  const settings = {
    model,
    prompt,
    tools: sdkTools(run),
    stopWhen: isStepCount(5),
    maxRetries: 0,
    ...(providerOptions && { providerOptions: providerOptions as never }),
  };
  return streamed ? await streamText(settings).text : (await generateText(settings)).text;
}

/** Programs with their defaults: all that is set is that the model thinks. */
const programs: Record<string, (loop: Loop) => Promise<string>> = {
  "@ai-sdk/openai": async (loop) => {
    const openai = createOpenAI({ baseURL: `${loop.address}/v1`, apiKey: loop.key });
    const thinking = { forceReasoning: true, reasoningEffort: "high", reasoningSummary: "auto" };
    return await loopOf(openai(loop.model), loop, { openai: thinking });
  },
  "@ai-sdk/anthropic": async (loop) => {
    const anthropic = createAnthropic({ baseURL: `${loop.address}/v1`, apiKey: loop.key });
    const thinking = { type: "enabled", budgetTokens: 2_000 };
    return await loopOf(anthropic(loop.model), loop, { anthropic: { thinking } });
  },
  "@ai-sdk/openai-compatible": async (loop) => {
    const provider = createOpenAICompatible({ name: "gatehouse", baseURL: `${loop.address}/v1`, apiKey: loop.key });
    return await loopOf(provider(loop.model), loop, { gatehouse: { reasoningEffort: "high" } });
  },
  "@openrouter/ai-sdk-provider": async (loop) => {
    const openrouter = createOpenRouter({ baseURL: `${loop.address}/api/v1`, apiKey: loop.key });
    return await loopOf(openrouter(loop.model, { reasoning: { effort: "high" } }), loop);
  },
  "@anthropic-ai/sdk": async ({ address, key, model, streamed, run }) => {
    const client = new Anthropic({ baseURL: address, apiKey: key, maxRetries: 0 });
    const tools = [
      betaZodTool({
        name: "get_weather",
        description: "Degrees",
        inputSchema: city,
        run: (args) => run("get_weather", args),
      }),
      betaZodTool({
        name: "get_time",
        description: "Hour",
        inputSchema: nothing,
        run: (args) => run("get_time", args),
      }),
    ];
    const runner = client.beta.messages.toolRunner({
      model,
      max_tokens: 4_000,
      thinking: { type: "enabled", budget_tokens: 2_000 },
      messages: [{ role: "user", content: prompt }],
      tools,
      stream: streamed,
    });
    const last = await runner.runUntilDone();
    return last.content.map((block) => (block.type === "text" ? block.text : "")).join("");
  },
  openai: async ({ address, key, model, streamed, run }) => {
    const client = new OpenAI({ baseURL: `${address}/v1`, apiKey: key, maxRetries: 0 });
    const named = (name: string, schema: z.ZodType) => ({
      type: "function" as const,
      function: {
        name,
        description: name,
        parameters: z.toJSONSchema(schema) as Record<string, unknown>,
        parse: (text: string) => JSON.parse(text) as object,
        function: (args: object) => run(name, args),
      },
    });
    const body = {
      model,
      messages: [{ role: "user" as const, content: prompt }],
      reasoning_effort: "high" as const,
      tools: [named("get_weather", city), named("get_time", nothing)] as never,
    };
    const runner = streamed
      ? client.chat.completions.runTools({ ...body, stream: true })
      : client.chat.completions.runTools(body);
    return (await runner.finalContent()) ?? "";
  },
  "@langchain/openrouter": async ({ address, key, model, streamed, run }) => {
    const named = (name: string, schema: z.ZodObject) =>
      langchainTool((args: object) => run(name, args), { name, description: name, schema });
    const tools = { get_weather: named("get_weather", city), get_time: named("get_time", nothing) };
    const modelKwargs = { reasoning: { effort: "high" } };
    const chat = new ChatOpenRouter({ model, apiKey: key, baseURL: `${address}/api/v1`, maxRetries: 0, modelKwargs });
    const bound = chat.bindTools(Object.values(tools));
    const conversation: Parameters<typeof bound.invoke>[0] & unknown[] = [new HumanMessage(prompt)];
    for (;;) {
      let said = undefined as Awaited<ReturnType<typeof bound.invoke>> | undefined;
      if (!streamed) said = await bound.invoke(conversation);
      else for await (const chunk of await bound.stream(conversation)) said = said?.concat(chunk) ?? chunk;
      if (said === undefined) throw new Error("no answer came");
      if ((said.tool_calls ?? []).length === 0) return said.text;
      conversation.push(said);
      for (const { id, name, args } of said.tool_calls ?? [])
        conversation.push(
          new ToolMessage({
            tool_call_id: id ?? "",
            content: await tools[name as keyof typeof tools].invoke(args as never),
          }),
        );
    }
  },
};

/**
 * Programs that do not send back what a model thought, everywhere or at these kinds of provider. What OpenAI's chat thinks
 * is never seen. Such a loop goes on all the same.
 */
const forgets = (program: string, kind: Kind) =>
  ["openai", "@langchain/openrouter"].includes(program) ||
  (kind === "OpenAI" && program !== "@ai-sdk/openai") ||
  (kind === "Anthropic" && program === "@ai-sdk/openai-compatible");

describeGateway("a loop of tools with a model that thinks, three turns", (gateway) => {
  const vendors = withLoopVendors(gateway);
  let key = "";
  beforeEach(async () => {
    ({ key } = await makeKey(gateway()));
    gateway().clock.advance(3_600_000);
  });

  describe.each(Object.entries(programs))("%s", (program, play) => {
    for (const kind of Object.keys(vendors) as Kind[])
      it.each(["whole", "streamed"])(`at ${kind}, %s`, async (way) => {
        const log: LoopLog = { refused: [], thoughts: [] };
        vendors[kind]().answer(playToolLoop(log));
        const ran: [string, object][] = [];
        const said = await play({
          address: gateway().url,
          key,
          model: `acme/${kind}`,
          streamed: way === "streamed",
          run: (name, args) => {
            ran.push([name, args]);
            return `${name} says 20`;
          },
        }).catch((error: unknown) => error);
        expect({ said, ran, ...log }).toEqual({
          said: answer,
          ran: wanted,
          refused: [],
          thoughts: forgets(program, kind) ? [0, 0, 0] : [0, 1, 2],
        });
      });
  });
});
