import type { DestinationType } from "#contract/destination-kinds.ts";
import type { testDestination } from "#contract/forwarding.ts";
import type { ForwardedEvent } from "#contract/forwarded-event.ts";
import type { Output } from "#contract/endpoint.ts";
import type { StoredConfig } from "./destination-config.ts";

/** A request as a destination would get it, its secrets in plain text. */
export interface SinkPreview {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** The way to destinations, put there by whoever puts the process together. */
export interface Sinks {
  preview(type: DestinationType, config: StoredConfig, events: readonly ForwardedEvent[]): Promise<SinkPreview[]>;
  /** Sends a marked test; never throws for what the sink does. */
  test(type: DestinationType, config: StoredConfig): Promise<Output<typeof testDestination>["data"]>;
}
