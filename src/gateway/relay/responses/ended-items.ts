import { isObject, type JsonObject } from "../../providers/answer.ts";
import { readJson } from "../../read-json.ts";
import type { Turn } from "../../turns.ts";
import type { Piece } from "../sent.ts";
import type { PassedFrame } from "../chat/hearing.ts";

/** Characters of the items of one answer; and lists, objects and what is in them, of one. */
const mostEnded = 4_194_304;
const mostValues = 100_000;

/** The items of a stream that is passed on, as long as they are short enough to be kept. */
export class EndedItems {
  private events: Piece[] | null = [];
  private size = 0;

  /** @returns the characters that are held from now on */
  add({ name, data }: PassedFrame): number {
    if (this.events === null || name !== "response.output_item.done") return 0;
    this.size += data.length;
    if (this.size > mostEnded) this.events = null;
    else this.events.push(data);
    return this.events === null ? 0 : data.length;
  }

  async read(turn: Turn): Promise<JsonObject[]> {
    const items: JsonObject[] = [];
    for (const data of this.events ?? []) {
      const event = await readJson(Buffer.from(data), turn, mostValues);
      if (isObject(event) && isObject(event["item"])) items.push(event["item"]);
    }
    return items;
  }
}
