import { expect, it } from "vitest";
import { position } from "./position-popover.ts";

type Given = Parameters<typeof position>;
const box = (left: number, top: number, right: number, bottom: number) => ({ left, top, right, bottom });
const size = (width: number, height: number) => ({ width, height });
const below = { gap: 4, align: "start" } as const;
const centred = { gap: 6, align: "center" } as const;
const beside = { ...centred, beside: true };

it.each<[string, Given[0], Given[1], Given[3], object]>([
  ["below its anchor, at its start", size(120, 200), box(100, 50, 300, 82), below, { left: 100, top: 86 }],
  ["below its anchor, centred on it", size(120, 200), box(100, 50, 300, 82), centred, { left: 140, top: 88 }],
  ["above when there is more room there", size(120, 200), box(100, 700, 300, 732), below, { left: 100, top: 496 }],
  ["at the left where that is wished", size(160, 24), box(900, 100, 928, 128), beside, { left: 734, top: 102 }],
  ["below where the left has no room", size(160, 24), box(100, 100, 128, 128), beside, { top: 134 }],
  ["inside the window at its end", size(300, 900), box(950, 10, 990, 38), below, { left: 692, top: 42 }],
  ["inside the window at its start", size(300, 50), box(0, 10, 20, 38), centred, { left: 8 }],
])("stands %s", (_, it, anchor, how, at) => expect(position(it, anchor, size(1000, 800), how)).toMatchObject(at));
