import * as authCodes from "../domain/keys/auth-codes.ts";
import { exchange } from "../domain/keys/auth-code-exchange.ts";
import * as assignments from "../domain/guardrails/assignments.ts";
import * as destinations from "../domain/destinations/destinations.ts";
import type { Handlers } from "./bind.ts";

/** What watches or restricts a key does so with the keys that it had made. */
const follow = [destinations.allowSuccessor, assignments.coverSuccessor];

/** Keys for apps. */
export const oauthHandlers = {
  createAuthCode: (ctx, { body }) => authCodes.create(ctx, body),
  authorizeApp: (ctx, { body }) => authCodes.authorize(ctx, body),
  exchangeAuthCode: (ctx, { body }) => exchange(ctx, body, follow),
} satisfies Partial<Handlers>;
