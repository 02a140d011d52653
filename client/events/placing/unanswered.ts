import type { Api } from "#client/base/api/api.ts";
import type { CallView } from "#src/play/calls/schemas.ts";
import type { SpotView } from "#src/play/spots/schemas.ts";

export const CHECKING_AFTER_MS = 3_000;

/** A call as it was sent. */
export type SentCall = { key: string; spot: SpotView; wagerCents: number; onTheHouse: boolean };

type Unanswered = {
  call: SentCall;
  sentAtMs: number;
  /** The cable has said that the call is placed. */
  resolve: (call: CallView) => void;
  /** What became of it, once that is known: the call, or null if it was not placed. It never rejects. */
  answer: Promise<CallView | null>;
};

// Decision: until it is known what became of a call, the page sends no other one, also when the Action screen was left and is
// opened again. So this belongs to the page, of which its API is the only one.
const byPage = new WeakMap<Api, Unanswered>();

/** The call of which the page does not know yet what became of it; undefined for none. */
export function unansweredOf(api: Api): Unanswered | undefined {
  return byPage.get(api);
}

/** Remembers a call until the server has answered, or a message has. @returns what became of it. */
export function awaitAnswer(
  api: Api,
  call: SentCall,
  asked: Promise<CallView | null>,
): Promise<CallView | null> {
  const { promise: answer, resolve } = Promise.withResolvers<CallView | null>();
  byPage.set(api, { call, sentAtMs: performance.now(), resolve, answer });
  void asked.then(resolve);
  return answer.finally(() => byPage.delete(api));
}

/** For how long from now on a call still counts as on its way; then it is being checked. */
export function onItsWayMs({ sentAtMs }: Pick<Unanswered, "sentAtMs">): number {
  return Math.max(0, sentAtMs + CHECKING_AFTER_MS - performance.now());
}
