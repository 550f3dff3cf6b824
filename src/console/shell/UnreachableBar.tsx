import { useState } from "react";
import { minuteMs } from "#contract/time.ts";
import { useNow } from "../api/clock.ts";
import { probe, reachability } from "../api/connectivity.ts";
import { useStore } from "../api/store.ts";
import { Button } from "../ui/Button.tsx";
import { heightProperty } from "../ui/height-property.ts";

// pages as tall as the window make room for it, and what is sticky stays below it
const barHeight = heightProperty("--h-bar");

/** Shown while the gateway does not answer. The region always exists, so that its text is announced. */
export function UnreachableBar() {
  const state = useStore(reachability);
  return (
    <div ref={barHeight} role="status">
      {!state.reachable && <Bar lastAnswerAt={state.lastAnswerAt} nextProbeAt={state.nextProbeAt} />}
    </div>
  );
}

function Bar({ lastAnswerAt, nextProbeAt }: { lastAnswerAt: number; nextProbeAt: number }) {
  const [trying, setTrying] = useState(false);
  async function tryNow() {
    setTrying(true);
    await probe();
    setTrying(false);
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-warn-line bg-warn-bg px-8 py-1.5 text-13 text-fg-1 max-md:px-4">
      <svg
        width="10"
        height="10"
        viewBox="0 0 10 10"
        aria-hidden="true"
        className="mt-1.5 shrink-0 self-start fill-warn-fg"
      >
        <path d="M5 0.5 10 9.5H0z" />
      </svg>
      <p className="min-w-0 flex-[1_1_16rem]">
        <strong className="font-semibold">The gateway cannot be reached.</strong> It last answered at{" "}
        {new Date(lastAnswerAt).toISOString().slice(11, 16)} UTC
        <Age since={lastAnswerAt} />; what you see is no newer. Changes are disabled until it answers.
      </p>
      <div className="ml-auto flex items-center gap-3">
        <Countdown until={nextProbeAt} />
        <Button size="sm" pending={trying} onClick={() => void tryNow()}>
          Try now
        </Button>
      </div>
    </div>
  );
}

function Age({ since }: { since: number }) {
  const now = useNow(10_000);
  const minutes = Math.floor((now.getTime() - since) / minuteMs);
  return minutes < 1 ? null : <>, {minutes} min ago</>;
}

function Countdown({ until }: { until: number }) {
  const now = useNow(1_000);
  const seconds = Math.max(0, Math.ceil((until - now.getTime()) / 1_000));
  return (
    <span aria-hidden="true" className="text-12 text-fg-2 tabular-nums">
      {seconds === 0 ? "Trying" : `Next try in ${seconds} s`}
    </span>
  );
}
