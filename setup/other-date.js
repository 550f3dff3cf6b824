// Loaded with --import before a test run: moves the date of this process, and of those that it starts, to
// GATEHOUSE_TEST_DATE, from where it goes on. Timers and performance.now() stay as they are.
import { env } from "node:process";

const start = Date.parse(env["GATEHOUSE_TEST_DATE"] ?? "");
if (Number.isNaN(start)) throw new Error("GATEHOUSE_TEST_DATE must be a date, like 2028-02-29T23:59:30Z");

const RealDate = Date;
// The first process decides how far; the others inherit it, so that all agree.
const offset = Number((env["GATEHOUSE_TEST_DATE_OFFSET"] ??= String(start - RealDate.now())));
const now = () => RealDate.now() + offset;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, name, receiver) => (name === "now" ? now : Reflect.get(target, name, receiver)),
});
RealDate.prototype.constructor = Date;
