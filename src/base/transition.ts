import { invalid, type Refusal } from "./refusal.ts";

/** 422 for an action of its own path, such as PUT .../pause: `cannot transition via "Pause"`. */
export function cannotTransitionVia(label: string, detail?: string): Refusal {
  return invalid({ state: [`cannot transition via "${label}"`] }, detail === undefined ? {} : { detail });
}

/** 422 for a transition named in a body: `cannot transition when Resolved`. */
export function cannotTransitionWhen(stateLabel: string, detail?: string): Refusal {
  return invalid(
    { stateEvent: [`cannot transition when ${stateLabel}`] },
    detail === undefined ? {} : { detail },
  );
}
