import type { DestinationType } from "#contract/destination-kinds.ts";
import type { testDestination } from "#contract/forwarding.ts";
import type { ForwardedEvent } from "#contract/forwarded-event.ts";
import type { Output } from "#contract/endpoint.ts";
import type { StoredConfig } from "./config.ts";

/** A request as a destination would receive it, secrets in plain text. */
export interface SinkPreview {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** Access to destinations, supplied by the code that wires the process. */
export interface Sinks {
  preview(type: DestinationType, config: StoredConfig, events: readonly ForwardedEvent[]): Promise<SinkPreview[]>;
  /** Sends a marked test; never throws, whatever the destination does. */
  test(type: DestinationType, config: StoredConfig): Promise<Output<typeof testDestination>["data"]>;
}
