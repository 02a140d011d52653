import { outagePauseSeconds } from "#src/base/due-rows.ts";

// Decision: while a push service is away, one message asks whether it is back, and the others wait without a request. What this process
// has seen is enough: each worker asks for itself.

/** A service that nobody has asked for so long is forgotten: its messages were too old to be sent. */
const FORGOTTEN_AFTER_MS = 300_000;
const SECOND_MS = 1_000;

/** So many refusals without an acceptance show that the service is away, and not that it refuses one message. */
const REFUSALS_MIN = 2;

type Service = { sinceMs: number; askedAtMs: number; nextAtMs: number; reason: string; refusals: number };

/** What a process knows about the push services that do not take messages, by their origins. */
export type PushServices = {
  /** How long a message waits before it may be sent; 0: it may be sent now, and is the one that asks. */
  waitMs: (origin: string) => number;
  /** A service has taken no message. @param askedMs how long it asks to wait, if it does. @returns the wait before the next attempt. */
  refused: (origin: string, reason: string, askedMs?: number | null) => number;
  /** A service has taken a message. @returns true if it was away. */
  took: (origin: string) => boolean;
  /** Which services are away and why, in a line each; null: none. */
  trouble: () => string | null;
};

/** @param now a clock in milliseconds. */
export function createPushServices(now = () => performance.now()): PushServices {
  const services = new Map<string, Service>();
  return {
    waitMs: (origin) => {
      const service = services.get(origin);
      if (service === undefined || service.refusals < REFUSALS_MIN) return 0;
      const leftMs = service.nextAtMs - now();
      if (leftMs > 0) return Math.ceil(leftMs);
      service.nextAtMs = now() + outagePauseSeconds((now() - service.sinceMs) / SECOND_MS) * SECOND_MS;
      return 0;
    },
    refused: (origin, reason, askedMs = null) => {
      const { sinceMs = now(), refusals = 0 } = services.get(origin) ?? {};
      const waitMs = askedMs ?? outagePauseSeconds((now() - sinceMs) / SECOND_MS) * SECOND_MS;
      const times = { sinceMs, askedAtMs: now(), nextAtMs: now() + waitMs };
      services.set(origin, { ...times, reason, refusals: refusals + 1 });
      return waitMs;
    },
    took: (origin) => services.delete(origin),
    trouble: () => {
      for (const [origin, { askedAtMs }] of services)
        if (now() - askedAtMs > FORGOTTEN_AFTER_MS) services.delete(origin);
      const away = [...services].filter(([, { refusals }]) => refusals >= REFUSALS_MIN);
      const lines = away.map(([origin, { reason }]) => `${origin}: ${reason}`);
      return lines.length === 0 ? null : lines.join("\n");
    },
  };
}

/** What this process knows. */
export const pushServices = createPushServices();
