import type { FastifyInstance, FastifyRequest } from "fastify";
import { api, basePath as apiPath } from "#contract/api.ts";
import type { Deps } from "../domain/context.ts";
import { findSessionRecord } from "../domain/instance/sessions.ts";
import type { RefusedCallCounter } from "../domain/calls/refused-call-counter.ts";
import type { Batches } from "../relay/batches/runner.ts";
import type { Relay } from "../relay/model-call.ts";
import type { Slots } from "../slots.ts";
import { authenticator } from "./auth.ts";
import { bindEndpoint, bindOtherMethods, type Handlers } from "./bind.ts";
import { bindConsole, type ConsoleFiles } from "./static.ts";
import { bindDocs } from "./docs.ts";
import { bindGuides } from "./guides.ts";
import { batchHandlers, bindBatches } from "./batch-routes.ts";
import { bindFiles } from "./file-routes.ts";
import { makeHandlers } from "./handlers.ts";
import { bindMetrics, type MetricsOptions } from "./metrics.ts";
import { bindModelCalls } from "./model-calls.ts";
import { bindScim } from "./scim-routes.ts";
import { bindVideoContent, videoHandlers } from "./videos.ts";
import { bindProbes, createReadiness, type ProbeDeps } from "./probes.ts";

export interface RouteOptions {
  publicUrl: URL | null;
  basePath: string;
  /** null where the console is not built */
  console: ConsoleFiles | null;
  probes: ProbeDeps;
  metrics: MetricsOptions;
  refusedCalls: RefusedCallCounter;
  calls: Slots;
  batches: Batches;
  /** the memory for all providers' answers together, if not the usual */
  answerBytes: number | undefined;
}

/** All routes: the API from the contract, its description, and the console. */
export async function bindRoutes(app: FastifyInstance, deps: Deps, relay: Relay, options: RouteOptions): Promise<void> {
  const authenticate = authenticator(deps, options.publicUrl?.origin ?? null);
  const readiness = createReadiness(options.probes);
  const cookie = { path: `${options.basePath}/`, secure: options.publicUrl?.protocol === "https:" };
  const ownUrl = ({ protocol, host }: FastifyRequest) =>
    `${options.publicUrl?.origin ?? `${protocol}://${host}`}${options.basePath}`;
  const apiUrl = (request: FastifyRequest) => `${ownUrl(request)}${apiPath}`;
  const handlers = {
    ...makeHandlers(cookie, readiness, relay.files),
    ...videoHandlers(relay, apiUrl),
    ...batchHandlers(options.batches, apiUrl),
  } satisfies Handlers;
  await app.register(
    async (scope) => {
      scope.addHook("onRequest", (_, reply, done) => {
        reply.header("cache-control", "no-store");
        done();
      });
      for (const [name, handle] of Object.entries(handlers)) {
        bindEndpoint(scope, api[name as keyof typeof handlers], handle, authenticate);
      }
      bindModelCalls(scope, relay, authenticate, { ...options, apiUrl });
      bindVideoContent(scope, relay, authenticate, options.calls);
      bindBatches(scope, deps, { batches: options.batches, authenticate, apiUrl });
      bindFiles(scope, relay.files, authenticate);
      bindOtherMethods(scope, Object.values(api));
      bindDocs(scope, options);
      bindGuides(scope);
    },
    { prefix: apiPath },
  );
  bindScim(app, deps, ownUrl);
  bindMetrics(app, options.metrics, authenticate);
  bindProbes(app, options.probes, readiness);
  if (options.console !== null) {
    bindConsole(app, options.console, options.basePath, (token) => findSessionRecord(deps, token));
  }
}
