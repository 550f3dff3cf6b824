import OpenAI from "openai";
import { zodResponseFormat } from "openai/helpers/zod";
import { OpenRouter } from "openrouter-sdk-1-3-19";
import { beforeEach, describe, expect, it } from "vitest";
import { describeOnEngines } from "../../testing/engines.ts";
import { makeKey } from "../../testing/factories.ts";
import { answering, answeringWhole, streamedResponse } from "../../testing/responses-answers.ts";
import { withResponder } from "../../testing/responses-setup.ts";
