import { useSyncExternalStore } from "react";

/** Round trips of one measurement; the fastest of them is trusted. */
const ROUND_TRIPS = 5;
const MEASURE_EVERY_MS = 5 * 60_000;
const TICK_MS = 100;
const ROUND_TRIP_MAX_MS = 5_000;
/** Over a slower link the countdown may be off by something a player notices. */
export const POOR_ROUND_TRIP_MS = 400;

let offsetMs = 0;
let bestRoundTripMs: number | null = null;

/** The server's time now, as well as this page knows it, in milliseconds since 1970. */
export function serverNow(): number {
  return Date.now() + offsetMs;
}

/** How long the fastest round trip took; null before the first measurement. */
export function roundTripMs(): number | null {
  return bestRoundTripMs;
}

/** A first guess from a page or an answer just received; a measurement is better and stays. */
export function guessServerTime(serverTime: string): void {
  if (bestRoundTripMs === null) offsetMs = Date.parse(serverTime) - Date.now();
}

type AskTime = () => Promise<string>;
let measuring: Promise<void> | null = null;

/**
 * Compares the clocks: the server's moment is taken to lie in the middle of the fastest of five round trips. Without any
 * answer all stays as it was.
 */
export async function measureServerTime(askTime: AskTime = askServer): Promise<void> {
  measuring ??= measure(askTime).finally(() => {
    measuring = null;
  });
  await measuring;
}

async function measure(askTime: AskTime): Promise<void> {
  let best: { roundTrip: number; offset: number } | null = null;
  for (let trip = 0; trip < ROUND_TRIPS; trip += 1) {
    const measured = await oneRoundTrip(askTime);
    if (measured !== null && (best === null || measured.roundTrip < best.roundTrip)) best = measured;
  }
  if (best === null) return;
  offsetMs = best.offset;
  bestRoundTripMs = best.roundTrip;
}

async function oneRoundTrip(askTime: AskTime): Promise<{ roundTrip: number; offset: number } | null> {
  try {
    const sentAt = Date.now();
    const started = performance.now();
    const serverTime = await askTime();
    const roundTrip = performance.now() - started;
    return { roundTrip, offset: Date.parse(serverTime) - (sentAt + roundTrip / 2) };
  } catch {
    return null;
  }
}

async function askServer(): Promise<string> {
  const response = await fetch("/up", { cache: "no-store", signal: AbortSignal.timeout(ROUND_TRIP_MAX_MS) });
  const { serverTime }: { serverTime: string } = await response.json();
  return serverTime;
}

/**
 * Keeps the clocks compared: now, when the page becomes visible, and every 5 minutes.
 * @returns ends it.
 */
export function keepServerTime(measured: () => void): () => void {
  const compare = () => void measureServerTime().then(measured);
  const onVisible = () => {
    if (document.visibilityState === "visible") compare();
  };
  compare();
  const timer = setInterval(compare, MEASURE_EVERY_MS);
  document.addEventListener("visibilitychange", onVisible);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", onVisible);
  };
}

/**
 * What `pick` makes of the server's time; the component is drawn again only when that changes. On the server and while the
 * page wakes up it is what `pick` makes of the moment the page was rendered at, so that both write the same.
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

/** By how much this computer's clock is taken to be behind the server's, in ms; for what runs by itself and is to be set right. */
export function useClockOffset(): number {
  return useSyncExternalStore(
    onTick,
    () => Math.round(offsetMs),
    () => 0,
  );
}

const listeners = new Set<() => void>();
let ticking: ReturnType<typeof setInterval> | undefined;

/** One timer for all that shows time. */
function onTick(listener: () => void): () => void {
  listeners.add(listener);
  ticking ??= setInterval(() => {
    for (const listen of listeners) listen();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(ticking);
    ticking = undefined;
  };
}
