import { expect, it } from "vitest";
import { barLabel, tickRooms } from "./bar-labels.ts";

it("reads out a bar with what was refused in it", () => {
  const usd = (value: number) => `$${value}`;
  expect(barLabel({ label: "Wed", value: 2 }, usd, undefined)).toBe("Wed: $2");
  expect(barLabel({ label: "Wed", value: 2, refused: 1 }, usd, undefined)).toBe("Wed: $2, 1 call refused");
  expect(barLabel({ label: "Wed", value: 2, more: [1], refused: 1_066 }, usd, ["Credits", "BYOK"])).toBe(
    "Wed: Credits $2, BYOK $1, 1,066 calls refused",
  );
});

it("gives the texts under a chart the room up to the next one that stays as long as they do", () => {
  const week = Array.from({ length: 168 }, (_, hour) => (hour % 24 === 7 ? { tick: "Thu 19" } : {}));
  const rooms = tickRooms(week).filter((room) => room !== null);
  const day = 1 / 7;
  expect(rooms).toEqual([1, day, 2 * day, day, 4 * day, day, 2 * day]);
  expect(tickRooms([{ tick: "Mon" }, {}])).toEqual([1, null]);
});
