import type { JsonObject } from "../../providers/answer.ts";

/** An event, and about how many characters it has. */
export interface StreamEvent {
  readonly type: string;
  readonly members: JsonObject;
  readonly size: number;
}

/** An item that is being written. */
export interface Item {
  readonly index: number;
  readonly id: string;
}

export const leadOf = ({ type }: StreamEvent) => `event: ${type}\ndata: `;
export const short = (type: string, members: JsonObject): StreamEvent => ({ type, members, size: 0 });
export const added = (index: number, item: JsonObject) =>
  short("response.output_item.added", { output_index: index, item });
