import { makeBlock, makeText, readImage, withBlocks, type Block } from "./blocks.ts";
import { change, putRows, type PlaygroundStore } from "./playground.ts";
import { makeRow, type Row } from "./rows.ts";

export type Example = "pairs" | "search" | "images";

/** Adds an example to the input, after what is already there. */
export async function fillExample(store: PlaygroundStore, example: Example): Promise<void> {
  if (example === "images") {
    const made = await pictures();
    return change(store, { mode: "multimodal", blocks: withBlocks(store.get().blocks, made) });
  }
  const own = store.get().rows.filter(({ text }) => text !== "");
  change(store, { mode: "batch" });
  return putRows(store, [...own, ...(example === "pairs" ? pairs() : search())], "");
}

const pairs = (): Row[] =>
  (
    [
      ["customs", "The container is held at customs"],
      ["customs", "Customs has not released the container"],
      ["billing", "The invoice is higher than the quote"],
      ["billing", "We were invoiced more than the quote said"],
      ["tracking", "Where is my parcel now"],
      ["tracking", "My parcel has not moved for two days"],
      ["sign-in", "The driver app does not accept my password"],
      ["sign-in", "I cannot sign in to the driver app"],
    ] as const
  ).map(([group, text]) => makeRow(text, group));

const search = (): Row[] => [
  makeRow("my parcel arrived broken", "", "query"),
  makeRow("change the delivery address", "", "query"),
  ...[
    "Your package arrived damaged: how to file a claim",
    "Sending a shipment to another address",
    "Opening hours of the depots on public holidays",
    "What customs needs to release a container",
    "Paying an invoice by bank transfer",
    "Which goods may not be sent by air",
  ].map((text) => makeRow(text)),
];

const side = 120;
const red = "firebrick";
const blue = "royalblue";

async function pictures(): Promise<Block[]> {
  const drawn = [
    ["red disc", red, true],
    ["red square", red, false],
    ["blue disc", blue, true],
    ["blue square", blue, false],
  ] as const;
  const blocks = await Promise.all(
    drawn.map(async ([name, colour, round]) => makeBlock([await readImage(await draw(name, colour, round), true)])),
  );
  return [makeBlock([makeText("a red square")]), ...blocks];
}

async function draw(name: string, colour: string, round: boolean): Promise<File> {
  const canvas = new OffscreenCanvas(side, side);
  const context = canvas.getContext("2d");
  if (context) {
    context.fillStyle = "white";
    context.fillRect(0, 0, side, side);
    context.fillStyle = colour;
    context.beginPath();
    if (round) context.arc(side / 2, side / 2, side / 3, 0, 2 * Math.PI);
    else context.rect(side / 6, side / 6, (side * 2) / 3, (side * 2) / 3);
    context.fill();
  }
  const blob = await canvas.convertToBlob({ type: "image/png" });
  return new File([blob], `${name}.png`, { type: "image/png" });
}
