import * as z from "zod/mini";
import { list } from "./list.ts";

const names = z.optional(z.nullable(list(z.string().check(z.minLength(1), z.maxLength(100)), { most: 100 })));
const price = z.optional(
  z.nullable(
    z.union([
      z.string().check(z.regex(/^\d{1,9}(\.\d{1,18})?$/, "must be a decimal number of USD")),
      z.number().check(z.minimum(0)),
    ]),
  ),
);
const percentiles = z.optional(
  z.nullable(
    z.union([
      z.number().check(z.minimum(0)),
      z.strictObject({
        p50: z.optional(z.nullable(z.number())),
        p75: z.optional(z.nullable(z.number())),
        p90: z.optional(z.nullable(z.number())),
        p99: z.optional(z.nullable(z.number())),
      }),
    ]),
  ),
);
/** What candidates are sorted by. `exacto`: by lowest failure rate. */
export const SortBy = z.enum(["price", "throughput", "latency", "exacto"]);
export type SortBy = z.infer<typeof SortBy>;

export const Quantization = z.enum([
  "int4",
  "int8",
  "fp4",
  "mxfp4",
  "nvfp4",
  "fp6",
  "fp8",
  "mxfp8",
  "fp16",
  "bf16",
  "fp32",
  "unknown",
]);

/** `provider` of a model call: which providers may serve it, and in which order. Unknown members are refused. */
export const ProviderPreferences = z.strictObject({
  order: names,
  only: names,
  ignore: names,
  /** default true: the next candidate is tried after a retryable failure */
  allow_fallbacks: z.optional(z.nullable(z.boolean())),
  /** default false: when true, providers that do not support every parameter sent are skipped */
  require_parameters: z.optional(z.nullable(z.boolean())),
  /** default allow; deny skips providers that store or train on request data */
  data_collection: z.optional(z.nullable(z.enum(["allow", "deny"]))),
  zdr: z.optional(z.nullable(z.boolean())),
  enforce_distillable_text: z.optional(z.nullable(z.boolean())),
  quantizations: z.optional(z.nullable(list(Quantization, { most: 100 }))),
  sort: z.optional(
    z.nullable(
      z.union([
        SortBy,
        z.strictObject({
          by: z.optional(z.nullable(SortBy)),
          partition: z.optional(z.nullable(z.enum(["model", "none"]))),
        }),
      ]),
    ),
  ),
  /** USD: per million tokens for prompt and completion, per unit for image, audio and request */
  max_price: z.optional(
    z.nullable(z.strictObject({ prompt: price, completion: price, image: price, audio: price, request: price })),
  ),
  /** seconds; a plain number means p50 */
  preferred_max_latency: percentiles,
  /** tokens per second; a plain number means p50 */
  preferred_min_throughput: percentiles,
});
export type ProviderPreferences = z.infer<typeof ProviderPreferences>;
