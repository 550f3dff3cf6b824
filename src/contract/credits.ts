import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { maxUsd, Usd } from "./money.ts";
import { Instant } from "./time.ts";

/** Without a purchase there is no account limit, and `total_credits` is 0. */
export const CreditsRecord = z.object({ total_credits: Usd, total_usage: Usd });

export const getCredits = endpoint({
  name: "getCredits",
  method: "GET",
  path: "/credits",
  tag: "Credits",
  summary: "Get the credits bought and used",
  auth: "management",
  returns: z.object({ data: CreditsRecord }),
  errors: [401, 403, 500],
});

export const CreditEntry = z.object({ id: z.uuid(), at: Instant, amount_usd: Usd, note: z.nullable(z.string()) });
export type CreditEntry = z.infer<typeof CreditEntry>;

export const addCredits = endpoint({
  name: "addCredits",
  method: "POST",
  path: "/credits",
  tag: "Credits",
  summary: "Add credits to the account, or remove some",
  description:
    "Once you add an entry, all keys together can spend no more than the sum of all entries. A repeat with the same `Idempotency-Key` adds nothing and answers the first entry. Beyond the public API.",
  auth: "management",
  headers: ["Idempotency-Key"],
  body: z.strictObject({
    amount_usd: z.number().check(
      z.minimum(-maxUsd, `must be at least ${-maxUsd}`),
      z.maximum(maxUsd, `must be at most ${maxUsd}`),
      z.refine((usd) => Math.abs(usd) >= 1e-9, "must not be 0"),
    ),
    note: z.optional(z.nullable(z.string().check(z.maxLength(255)))),
  }),
  status: 201,
  returns: z.object({ data: CreditEntry }),
  errors: [400, 401, 403, 409, 413, 500],
});

export const createCoinbaseCharge = endpoint({
  name: "createCoinbaseCharge",
  method: "POST",
  path: "/credits/coinbase",
  tag: "Credits",
  summary: "Buy credits with Coinbase",
  description: "Always 410, as in the public API, which has withdrawn it.",
  auth: "none",
  returns: z.object({}),
  errors: [403, 410, 500],
});
