import type { CallPolicy } from "../../domain/keys/call-policy.ts";
import type { Route } from "../../domain/routing/routing.ts";
import type { CallContext } from "../record.ts";
import type { ServedCall } from "../reserved-call.ts";
import type { MediaAmount, MediaKind, MediaRequest } from "./kind.ts";

/** A parsed call that makes or reads media. */
export interface AskedMedia<R extends MediaRequest> {
  readonly kind: MediaKind<R>;
  readonly context: CallContext;
  readonly policy: CallPolicy;
  readonly request: R;
  /** what the gateway counts where a provider reports nothing */
  readonly amount: MediaAmount;
}

/** From its reservation to its settlement. */
export type MediaRun<R extends MediaRequest> = AskedMedia<R> & { readonly route: Route } & ServedCall;
