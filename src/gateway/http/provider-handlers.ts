import type { FastifyRequest } from "fastify";
import type { RetrievedModel } from "#contract/models.ts";
import * as canaries from "../domain/providers/canaries.ts";
import * as byok from "../domain/providers/byok.ts";
import { idempotencyKey } from "./idempotency-key.ts";
import * as imageModels from "../domain/providers/image-models.ts";
import * as models from "../domain/providers/models.ts";
import * as videoModels from "../domain/providers/video-models.ts";
import * as providerTest from "../domain/providers/connection-test.ts";
import * as providers from "../domain/providers/providers.ts";
import type { Handlers } from "./bind.ts";
import { readIfMatch, tagged } from "./version.ts";

/** The verbs of providers, their models, and workspaces' own provider keys. */
export const providerHandlers = {
  listProviders: async (ctx) => providers.listPublic(ctx),
  listProviderSettings: (ctx) => providers.list(ctx),
  listDetectedProviders: (ctx) => providers.detected(ctx),
  createProvider: async (ctx, { body }) => ({ data: await providers.create(ctx, body) }),
  getProvider: async (ctx, { params }, { reply }) => tagged(reply, await providers.get(ctx, params.slug)),
  updateProvider: async (ctx, { params, body }, { request, reply }) =>
    tagged(reply, await providers.update(ctx, params.slug, body, readIfMatch(request))),
  deleteProvider: (ctx, { params }, { request }) => providers.remove(ctx, params.slug, readIfMatch(request)),
  testProvider: async (ctx, { params }) => ({ data: await providerTest.testStored(ctx, params.slug) }),
  testProviderSettings: async (ctx, { body }) => ({ data: await providerTest.testUnsaved(ctx, body) }),

  listModels: async (ctx, { query }, { request }) =>
    await (isAnthropics(request) ? models.listForAnthropic : models.list)(ctx, query),
  listEmbeddingModels: async (ctx, { query }) => models.listEmbedding(ctx, query),
  listImageModels: async (ctx) => imageModels.listImage(ctx),
  listImageModelEndpoints: async (ctx, { params }) =>
    imageModels.imageEndpoints(ctx, `${params.author}/${params.slug}`),
  listVideoModels: async (ctx) => videoModels.listVideo(ctx),
  listModelsForUser: async (ctx, { query }) => models.listForUser(ctx, query),
  countModels: async (ctx, { query }) => models.count(ctx, query),
  getModel: async (ctx, { params }) => ({ data: models.get(ctx, `${params.author}/${params.slug}`) }),
  retrieveModel: async (ctx, { params }, { request }) => retrieved(request, models.retrieve(ctx, params.id)),
  retrieveModelOfAuthor: async (ctx, { params }, { request }) =>
    retrieved(request, models.retrieve(ctx, `${params.author}/${params.slug}`)),
  listModelEndpoints: async (ctx, { params }) => models.endpoints(ctx, `${params.author}/${params.slug}`),
  listZdrEndpoints: async (ctx) => models.zdrEndpoints(ctx),

  listByokKeys: (ctx, { query }) => byok.list(ctx, query),
  createByokKey: async (ctx, { body }, { request }) => ({
    data: await byok.create(ctx, body, idempotencyKey(request)),
  }),
  getByokKey: async (ctx, { params }) => ({ data: await byok.get(ctx, params.id) }),
  updateByokKey: async (ctx, { params, body }) => ({ data: await byok.update(ctx, params.id, body) }),
  deleteByokKey: (ctx, { params }) => byok.remove(ctx, params.id),
  testByokKey: async (ctx, { params }) => ({ data: await providerTest.testByokKey(ctx, params.id) }),

  listCanaries: (ctx, { query }) => canaries.list(ctx, query),
  createCanary: async (ctx, { body }) => ({ data: await canaries.create(ctx, body) }),
  updateCanary: async (ctx, { params, body }) => ({ data: await canaries.update(ctx, params.id, body) }),
  deleteCanary: (ctx, { params }) => canaries.remove(ctx, params.id),
  checkCanary: async (ctx, { params }) => ({ data: await canaries.check(ctx, params.id) }),
  acceptCanaryBaseline: async (ctx, { params }) => ({ data: await canaries.acceptBaseline(ctx, params.id) }),
  listCanaryRuns: (ctx, { params, query }) => canaries.runs(ctx, params.id, query),
} satisfies Partial<Handlers>;

/** Whether Anthropic's client asks, which reads records of its own form. */
function isAnthropics({ headers }: FastifyRequest): boolean {
  return headers["anthropic-version"] !== undefined;
}

function retrieved(request: FastifyRequest, record: RetrievedModel): RetrievedModel {
  return isAnthropics(request) ? models.forAnthropic(record) : record;
}
