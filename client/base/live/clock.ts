import { useSyncExternalStore } from "react";
import { streamDelay } from "#client/base/api/stream-delay.ts";
import { pause } from "#client/base/browser/pause.ts";
import { whenIdle } from "#client/base/browser/when-idle.ts";
import { isDismissed, updateConnection } from "./connection.ts";

/** Round trips per measurement at most; only the fastest is used. */
const ROUND_TRIPS_MAX = 5;
/** One round trip this fast is enough: the clock is then wrong by half of it at most, which no countdown shows. */
const GOOD_ROUND_TRIP_MS = 100;
/** Between two round trips, so that a slow connection is not measured while it is busy with the page itself. */
const PAUSE_MS = 10_000;
const MEASURE_EVERY_MS = 5 * 60_000;
const TICK_MS = 100;
const ROUND_TRIP_MAX_MS = 5_000;
/** Over a slower connection the countdown may be noticeably wrong. */
export const POOR_ROUND_TRIP_MS = 400;

/** A clock that is set a little is no jump: no countdown shows it. */
const JUMP_MS = 500;
/** Without an answer after a jump. */
const MEASURE_AGAIN_MS = 2_000;

let offsetMs = 0;
/** The time of the page's clock at the start of its steady one, which nobody sets, and which may stand still while a computer sleeps. */
let clockStartMs: number | null = null;
let jumps = 0;
let bestRoundTripMs: number | null = null;
/** When the offset was last measured, by this page's own clock. */
let measuredAtMs = Number.NEGATIVE_INFINITY;

/** The server's time that the page shows, as estimated by it, in milliseconds since 1970: late by the device's stream delay. */
export function serverNow(): number {
  return trueNow() - streamDelay.delayMs;
}

/** The server's time now, for what does not wait for the stream delay. */
export function trueNow(): number {
  return Date.now() + offsetMs;
}

/** The fastest round trip in milliseconds; null before the first measurement. */
export function roundTripMs(): number | null {
  return bestRoundTripMs;
}

/**
 * A first estimate from a page or an answer that was just received. A measurement is better and is not replaced. Behind a stream
 * delay answers have waited, so they say nothing about the time now.
 */
export function estimateServerTime(serverTime: string): void {
  if (bestRoundTripMs === null && streamDelay.delayMs === 0) offsetMs = Date.parse(serverTime) - Date.now();
}

type FetchServerTime = () => Promise<string>;
let measuring: Promise<void> | null = null;

/**
 * Measures the offset to the server's clock: the server's time is assumed to be that of the middle of the round trip. One
 * good round trip is enough; over a slow connection the fastest of five counts. Without an answer the offset does not change.
 */
export async function measureServerTime(
  fetchTime: FetchServerTime = fetchServerTime,
  pauseMs: number = PAUSE_MS,
): Promise<void> {
  measuring ??= measure(fetchTime, pauseMs).finally(() => {
    measuring = null;
  });
  await measuring;
}

async function measure(fetchTime: FetchServerTime, pauseMs: number): Promise<void> {
  let best: Measured | null = null;
  let jumpsBefore = jumps;
  for (let trip = 1; trip <= ROUND_TRIPS_MAX && !isDismissed(); trip += 1) {
    const measured = await oneRoundTrip(fetchTime);
    if (measured === null) break;
    noticeJump();
    // What was measured before a jump says nothing about the clock after it.
    if (jumps !== jumpsBefore) best = null;
    jumpsBefore = jumps;
    if (best === null || measured.roundTrip < best.roundTrip) best = measured;
    if (best.roundTrip <= GOOD_ROUND_TRIP_MS) break;
    // The first one is better than the page's own time; a later measurement replaces the last one when it is done.
    if (bestRoundTripMs === null || best.roundTrip < bestRoundTripMs) use(best);
    if (trip < ROUND_TRIPS_MAX) await pause(pauseMs);
  }
  if (best !== null) use(best);
}

function use({ roundTrip, offset }: Measured): void {
  offsetMs = offset;
  bestRoundTripMs = roundTrip;
  measuredAtMs = performance.now();
  updateConnection({ untimed: false });
}

/** The clock was set, or the computer has slept: the time goes on as it was, and the server's is measured again at once. */
function noticeJump(): void {
  const startMs = Date.now() - performance.now();
  const jumpMs = startMs - (clockStartMs ?? startMs);
  clockStartMs = startMs;
  if (Math.abs(jumpMs) < JUMP_MS) return;
  jumps += 1;
  offsetMs -= jumpMs;
  bestRoundTripMs = null;
  updateConnection({ untimed: true });
  void measureUntilAnswered();
}

async function measureUntilAnswered(): Promise<void> {
  while (!isDismissed()) {
    await measureServerTime();
    if (bestRoundTripMs !== null) return;
    await pause(MEASURE_AGAIN_MS);
  }
}

type Measured = { roundTrip: number; offset: number };

async function oneRoundTrip(fetchTime: FetchServerTime): Promise<Measured | null> {
  try {
    const started = performance.now();
    const serverTime = await fetchTime();
    const roundTrip = performance.now() - started;
    return { roundTrip, offset: Date.parse(serverTime) - (Date.now() - roundTrip / 2) };
  } catch {
    return null;
  }
}

async function fetchServerTime(): Promise<string> {
  const response = await fetch("/up", { cache: "no-store", signal: AbortSignal.timeout(ROUND_TRIP_MAX_MS) });
  const { serverTime }: { serverTime: string } = await response.json();
  return serverTime;
}

/**
 * Measures the server's time soon unless that was done in the last 5 minutes, whenever the page becomes visible, and every 5
 * minutes; never once the server told the page to stay away.
 * @returns stops measuring.
 */
export function keepMeasuringServerTime(onMeasured: () => void): () => void {
  const compare = () => {
    if (!isDismissed()) void measureServerTime().then(onMeasured);
  };
  const onVisible = () => {
    if (document.visibilityState === "visible") compare();
  };
  // A page that is not live yet has more to do, and shows the time that it came with.
  if (performance.now() - measuredAtMs > MEASURE_EVERY_MS) whenIdle(compare);
  const timer = setInterval(compare, MEASURE_EVERY_MS);
  document.addEventListener("visibilitychange", onVisible);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", onVisible);
  };
}

/**
 * Returns `pick` of the server's time. The component renders again only when that value changes. On the server and during
 * hydration `pick` gets the time at which the page was rendered, so that both render the same.
 */
export function useServerTime<Picked extends string | number | boolean | null>(
  pick: (nowMs: number) => Picked,
  renderedAt: string,
): Picked {
  return useSyncExternalStore(
    onTick,
    () => pick(serverNow()),
    () => pick(Date.parse(renderedAt)),
  );
}

const listeners = new Set<() => void>();
let ticking: ReturnType<typeof setInterval> | undefined;

/** One timer for all components that show time. */
function onTick(listener: () => void): () => void {
  listeners.add(listener);
  ticking ??= setInterval(() => {
    noticeJump();
    for (const listen of listeners) listen();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(ticking);
    ticking = undefined;
  };
}
