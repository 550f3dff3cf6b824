import { expect, it } from "vitest";
import { createCalibration } from "./calibration.ts";

const asked = { workspaceId: "a", provider: "p", model: "m" };
const at = (minutes: number) => new Date(minutes * 60_000);

it("is of one workspace, and forgets a large count after the hour that follows it", () => {
  const calibration = createCalibration();
  expect(calibration.factor(asked, at(0))).toBeNull();
  calibration.observe(asked, 300, 100, at(0));
  calibration.observe(asked, 50, 100, at(1));
  expect(calibration.factor(asked, at(2))).toBe(3);
  expect(calibration.factor({ ...asked, workspaceId: "b" }, at(2))).toBeNull();
  calibration.observe(asked, 50, 100, at(61));
  expect(calibration.factor(asked, at(119))).toBe(3);
  expect(calibration.factor(asked, at(121))).toBe(1);
  expect(calibration.factor(asked, at(181))).toBeNull();
});
