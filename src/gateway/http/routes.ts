import type { FastifyInstance } from "fastify";
import { api, basePath as apiPath } from "#contract/api.ts";
import type { Deps } from "../domain/context.ts";
import type { Relay } from "../relay/model-call.ts";
import { authenticator } from "./auth.ts";
import { bindEndpoint, bindOtherMethods } from "./bind.ts";
import { bindConsole, type ConsoleFiles } from "./console.ts";
import { bindDocs } from "./docs.ts";
import { makeHandlers } from "./handlers.ts";
import { bindModelCalls } from "./model-calls.ts";

export interface RouteOptions {
  publicUrl: URL | null;
  basePath: string;
  /** null where the console is not built */
  console: ConsoleFiles | null;
}

/** All routes: the API from the contract, its description, and the console. */
export async function bindRoutes(app: FastifyInstance, deps: Deps, relay: Relay, options: RouteOptions): Promise<void> {
  const authenticate = authenticator(deps, options.publicUrl?.origin ?? null);
  const handlers = makeHandlers({ path: `${options.basePath}/`, secure: options.publicUrl?.protocol === "https:" });
  await app.register(
    async (scope) => {
      scope.addHook("onRequest", (_, reply, done) => {
        reply.header("cache-control", "no-store");
        done();
      });
      for (const [name, handle] of Object.entries(handlers)) {
        bindEndpoint(scope, api[name as keyof typeof handlers], handle, authenticate);
      }
      bindModelCalls(scope, relay, authenticate);
      bindOtherMethods(scope, Object.values(api));
      bindDocs(scope, options);
    },
    { prefix: apiPath },
  );
  if (options.console !== null) bindConsole(app, options.console, options.basePath);
}
