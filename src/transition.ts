import { invalid, type Refusal } from "./http/refusal.ts";

/** One row of a state table: from which states the transition may start, where it leads, and the word for it. */
export type Transition<State extends string> = { from: readonly State[]; to: State; label: string };

/** A state machine as data: the verbs, the refusals and the buttons all read the same rows. */
export type TransitionTable<Name extends string, State extends string> = Record<Name, Transition<State>>;

/** True if the table lets `name` start from `state`. */
export function allows<Name extends string, State extends string>(
  table: TransitionTable<Name, State>,
  name: Name,
  state: State,
): boolean {
  return table[name].from.includes(state);
}

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
