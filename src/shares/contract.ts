export const LIVE_SHARES_MAX = 100;
export const shareLifetimesDays = [1, 7, 30] as const;
/** The size of the pictures, in CSS pixels: what sites ask for that show a link as a card. */
export const PICTURE_SIZE = { width: 1_200, height: 630 } as const;

const ZONE_LENGTH_MAX = 64;
/** The zone of a link that names none. */
export const DEFAULT_ZONE = "UTC";
/** What a browser names that does not know its zone. `Intl` itself may not know this name. */
export const UNKNOWN_ZONE = "Etc/Unknown";

/** True for the IANA name of a time zone that this computer knows. */
export function isZone(name: string): boolean {
  try {
    const { timeZone } = new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions();
    return name.length <= ZONE_LENGTH_MAX && timeZone !== "";
  } catch {
    return false;
  }
}

/** What is needed of a call to sum up a player's session. */
export type CallToSum = {
  eventId: number;
  eventTitle: string;
  label: string;
  outcome: string | null;
  refundedBy: string | null;
  netCents: number | null;
};

export type CallsSum = {
  netCents: number;
  /** Events won and lost. */
  wins: number;
  losses: number;
  /** The net after each event that the player has called, in the order of the calls. */
  curveCents: number[];
  /** The call with the largest net; null if none has won anything. */
  best: { title: string; label: string; netCents: number } | null;
};

/**
 * Sums up a player's calls in a session. Calls without a result, and calls whose event was skipped or reset, do not count.
 * @param calls in the order in which they were placed.
 */
export function sumUpCalls(calls: readonly CallToSum[]): CallsSum {
  const nets = new Map<number, number>();
  let best: CallsSum["best"] = null;
  for (const { eventId, eventTitle: title, label, outcome, refundedBy, netCents } of calls) {
    if (outcome === null || refundedBy !== null || netCents === null) continue;
    nets.set(eventId, (nets.get(eventId) ?? 0) + netCents);
    if (netCents > Math.max(0, best?.netCents ?? 0)) best = { title, label, netCents };
  }
  let netCents = 0;
  const curveCents = [...nets.values()].map((ofEvent) => (netCents += ofEvent));
  const wins = [...nets.values()].filter((ofEvent) => ofEvent > 0).length;
  const losses = [...nets.values()].filter((ofEvent) => ofEvent < 0).length;
  return { netCents, wins, losses, curveCents, best };
}

/** A drawing of the curve in a box: the steps, where zero is, and where the curve ends. */
export type Curve = { steps: string; zeroY: number; end: { x: number; y: number } };

/**
 * Draws the net over a session as steps, from nothing at the left: it jumps with each result, and is never in between.
 * @param curveCents the net after each event, at least one.
 */
export function drawCurve(
  curveCents: readonly number[],
  { width, height }: { width: number; height: number },
): Curve {
  const highest = Math.max(0, ...curveCents);
  const lowest = Math.min(0, ...curveCents);
  const y = (netCents: number) =>
    highest === lowest ? height / 2 : round(((highest - netCents) / (highest - lowest)) * height);
  const step = width / Math.max(1, curveCents.length);
  const steps = curveCents.map((netCents, index) => `V${y(netCents)}H${round((index + 1) * step)}`);
  return {
    steps: `M0 ${y(0)}${steps.join("")}`,
    zeroY: y(0),
    end: { x: width, y: y(curveCents.at(-1) ?? 0) },
  };
}

function round(length: number): number {
  return Math.round(length * 10) / 10;
}
