import type { EventResult } from "#db/lists/events.ts";
import type { Side, SpotState } from "#db/lists/spots.ts";
import { CENTS_PER_DOLLAR, type TransitionTable } from "#src/http/contract.ts";

/** The transitions of a spot, as moveSpots performs and refuses them. It starts closed, opens and closes with its event, and is resolved with it. */
export const spotTransitions = {
  open_spot: { from: ["closed"], to: "open", label: "Open" },
  close: { from: ["open"], to: "closed", label: "Close" },
  resolve_spot: { from: ["closed"], to: "closed", label: "Resolve" },
  hide: { from: ["open", "closed"], to: "soft_destroyed", label: "Destroy" },
} as const satisfies TransitionTable<string, SpotState>;

/** The side that wins by each result; null where neither does. A result without an entry does not compile. */
export const winnerOf: Readonly<Record<EventResult, Side | null>> = {
  true: "true",
  false: "false",
  void: null,
};

export function poolOf(trueCents: number, falseCents: number) {
  const totalCents = trueCents + falseCents;
  return {
    true: trueCents / CENTS_PER_DOLLAR,
    trueCents,
    false: falseCents / CENTS_PER_DOLLAR,
    falseCents,
    total: totalCents / CENTS_PER_DOLLAR,
    totalCents,
  };
}
