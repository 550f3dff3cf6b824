import { beforeEach, describe, expect, it } from "vitest";
import type { RateLeft } from "../../providers/rate-headers.ts";
import { createPacer, type Pacer, type PaceRequest, type PacerClock, type Ticket } from "./pacer.ts";

/** Time that passes only when a test says so. */
function makeClock() {
  let nowMs = 1_000;
  let timers: { at: number; run: () => void }[] = [];
  const clock: PacerClock = {
    nowMs: () => nowMs,
    after(ms, run) {
      const timer = { at: nowMs + ms, run };
      timers.push(timer);
      return () => void (timers = timers.filter((other) => other !== timer));
    },
  };
  const settled = async () => {
    for (let round = 0; round < 20; round += 1) await Promise.resolve();
  };
  return {
    clock,
    settled,
    waiting: () => timers.length,
    async pass(ms: number) {
      const until = nowMs + ms;
      for (;;) {
        const next = timers.filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at)[0];
        if (next === undefined) break;
        timers = timers.filter((other) => other !== next);
        nowMs = Math.max(nowMs, next.at);
        next.run();
        await settled();
      }
      nowMs = until;
    },
  };
}

const never = new AbortController().signal;
const left = (remaining: number, limit: number | null, resetMs: number): RateLeft => ({ remaining, limit, resetMs });

let time: ReturnType<typeof makeClock>;
let pacer: Pacer;
let sent: string[];
let tickets: Map<string, Ticket>;

beforeEach(() => {
  time = makeClock();
  pacer = createPacer(time.clock);
  sent = [];
  tickets = new Map();
});

/** Asks for room; what was let go is in `sent`. @returns why it was not, once that is known */
async function ask(name: string, rest: Partial<PaceRequest> = {}): Promise<{ failed: Promise<unknown> }> {
  const asked = pacer
    .acquire({ account: "acme", owner: name, tokens: 1, mostWaitMs: 10_000, signal: never, ...rest })
    .then((ticket) => {
      sent.push(name);
      tickets.set(name, ticket);
    });
  const failed = asked.then(
    () => null,
    (error: unknown) => error,
  );
  await time.settled();
  return { failed };
}

/** Has a request sent whose answer says this, and is over. */
async function begin(requests: RateLeft | null, tokens: RateLeft | null = null) {
  await ask("a");
  await answered("a", requests, tokens);
}

async function answered(name: string, requests: RateLeft | null, tokens: RateLeft | null = null) {
  tickets.get(name)?.answered({ requests, tokens });
  tickets.get(name)?.end();
  await time.settled();
}

describe("a vendor that says nothing", () => {
  it("is sent everything at once", async () => {
    for (const name of ["a", "b", "c"]) await ask(name);
    await answered("a", null);
    await ask("d");
    expect(sent).toEqual(["a", "b", "c", "d"]);
    expect(time.waiting()).toBe(0);
  });
});

describe("requests that are used up", () => {
  it("wait until one has refilled, one after another", async () => {
    await begin(left(0, 11, 10_000));
    await ask("b");
    await ask("c");
    expect(sent).toEqual(["a"]);
    await time.pass(999);
    expect(sent).toEqual(["a"]);
    await time.pass(2);
    expect(sent).toEqual(["a", "b"]);
    await time.pass(1_001);
    expect(sent).toEqual(["a", "b", "c"]);
    expect(time.waiting()).toBe(0);
  });

  it("wait for the reset where no limit is given, and then nothing is known", async () => {
    await begin(left(0, null, 500));
    await ask("b");
    await ask("c");
    await time.pass(499);
    expect(sent).toEqual(["a"]);
    await time.pass(1);
    expect(sent).toEqual(["a", "b", "c"]);
  });
});

describe("tokens", () => {
  it("hold back what is too large for what is left, and no more", async () => {
    await begin(left(99, 100, 600), left(500, 1_000, 5_000));
    await ask("b", { tokens: 400 });
    expect(sent).toEqual(["a", "b"]);
    await ask("c", { tokens: 300 });
    // 100 are left, and about 100 come each second.
    await time.pass(1_999);
    expect(sent).toEqual(["a", "b"]);
    await time.pass(10);
    expect(sent).toEqual(["a", "b", "c"]);
  });

  it("let a request through that is larger than the whole limit, once all of it is there", async () => {
    await begin(null, left(0, 100, 1_000));
    await ask("b", { tokens: 5_000, mostWaitMs: 60_000 });
    await time.pass(1_020);
    expect(sent).toEqual(["a", "b"]);
  });

  it("count what was sent after the answered request as used", async () => {
    await ask("a", { tokens: 10 });
    await ask("b", { tokens: 10 });
    await answered("a", null, left(10, 20, 1_000));
    await ask("c", { tokens: 10 });
    expect(sent).toEqual(["a", "b"]);
    await answered("b", null, left(10, 20, 1_000));
    expect(sent).toEqual(["a", "b", "c"]);
  });

  it("ignore an answer that is older than the last one", async () => {
    await ask("a");
    await ask("b");
    await answered("b", left(0, 11, 10_000));
    await answered("a", left(5, 10, 5_000));
    await ask("c");
    expect(sent).toEqual(["a", "b"]);
  });
});

describe("waiting", () => {
  it("is not begun where it would take longer than the request may wait", async () => {
    await begin(left(0, 10, 100_000));
    await ask("b", { mostWaitMs: 9_999 });
    expect(sent).toEqual(["a", "b"]);
  });

  it("ends at the latest after the time that the request may wait", async () => {
    await begin(left(0, 11, 10_000));
    await ask("b", { mostWaitMs: 1_500 });
    await ask("c", { mostWaitMs: 2_500 });
    // Another process uses up what had refilled.
    tickets.get("a")?.refused(5);
    await time.pass(1_500);
    expect(sent).toEqual(["a", "b"]);
    await time.pass(1_000);
    expect(sent).toEqual(["a", "b", "c"]);
  });

  it("lets owners take turns, however much each has waiting", async () => {
    await ask("start");
    await answered("start", left(0, 11, 10_000));
    for (const name of ["a1", "a2", "a3"]) await ask(name, { owner: "a" });
    await ask("b1", { owner: "b" });
    await time.pass(4_100);
    expect(sent.slice(1)).toEqual(["a1", "a2", "b1", "a3"]);
  });

  it("ends with the caller, and what it left goes to the next one", async () => {
    await begin(left(0, 11, 10_000), left(0, 100, 10_000));
    const leaving = new AbortController();
    const { failed } = await ask("b", { tokens: 50, signal: leaving.signal });
    await ask("c", { tokens: 10 });
    await time.pass(1_100);
    expect(sent).toEqual(["a"]);
    leaving.abort(new Error("left"));
    await time.settled();
    expect(await failed).toEqual(new Error("left"));
    expect(sent).toEqual(["a", "c"]);
    expect(time.waiting()).toBe(0);
  });

  it("follows Retry-After", async () => {
    await ask("a");
    tickets.get("a")?.refused(2);
    tickets.get("a")?.end();
    await ask("b");
    await time.pass(1_999);
    expect(sent).toEqual(["a"]);
    await time.pass(1);
    expect(sent).toEqual(["a", "b"]);
  });

  it("is over once a request that was sent all the same is answered", async () => {
    await ask("a");
    tickets.get("a")?.refused(30);
    tickets.get("a")?.end();
    await ask("b", { mostWaitMs: 100 });
    expect(sent).toEqual(["a", "b"]);
    await answered("b", null);
    await ask("c");
    expect(sent).toEqual(["a", "b", "c"]);
  });

  it("is ended by a stop of the process, and begun no more", async () => {
    await begin(left(0, 11, 10_000));
    await ask("b");
    await ask("c");
    pacer.close();
    await time.settled();
    await ask("d");
    expect(sent).toEqual(["a", "b", "c", "d"]);
    expect(time.waiting()).toBe(0);
  });

  it("is for one provider, key and model only", async () => {
    await begin(left(0, 11, 10_000));
    await ask("b", { account: "other" });
    expect(sent).toEqual(["a", "b"]);
  });
});
