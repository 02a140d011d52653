import { useCallback, useRef } from "react";
import { type Api, ApiError } from "#client/base/api/api.ts";
import { Unreachable } from "#client/base/api/request-with-retry.ts";
import { streamDelay } from "#client/base/api/stream-delay.ts";
import { pause } from "#client/base/browser/pause.ts";
import { formatMoney } from "#client/base/format/money.ts";
import * as words from "#client/base/format/words.ts";
import { trueNow } from "#client/base/live/clock.ts";
import { isDismissed } from "#client/base/live/connection.ts";
import { useApi } from "#client/base/page/context.ts";
import { useOwnCalls } from "#client/calls/own-calls.ts";
import { refusalText } from "#client/ui/forms/refused.ts";
import { showToast } from "#client/ui/toast.tsx";
import { useWallet } from "#client/wallet/wallet-state.tsx";
import { CENTS_PER_DOLLAR } from "#src/http/contract.ts";
import type { CallAnswer, CallView } from "#src/play/calls/schemas.ts";
import type { SpotView } from "#src/play/spots/schemas.ts";
import * as texts from "./action-texts.ts";
import type { ApplyCall } from "./known-calls.ts";

const ATTEMPTS_MAX = 8;
/** Against an overloaded server fewer attempts are made: waiting much longer does not help the player. */
const BUSY_ATTEMPTS_MAX = 4;
const RETRY_MS = 750;
const SECOND_MS = 1_000;
const INVALID = 422;

const LOOK_EVERY_MS = 2_000;
const REQUEST_TIMEOUT_MS = 5_000;

/** The server may still be working on the last attempt, so what is not there is looked up once more. */
const MISSING_TIMES = 2;
const TOO_MANY_REQUESTS = 429;

const CHECKING_AFTER_MS = 3_000;

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

type Outcome = {
  applyCall: ApplyCall;
  refuse: (reason: string) => void;
  announce: (news: string) => void;
};

/** Sends a call, asks until it is known what became of it, and shows that. @returns the call; null: it was not placed. */
export function usePlaceRequest({ applyCall, refuse, announce }: Outcome) {
  const api = useApi();
  const { settle, receiveWallet } = useWallet();
  return useCallback(
    async (sent: SentCall): Promise<CallView | null> => {
      const { key } = sent;
      // A message may have said it before, whether the request fails or not.
      const isTold = () => unansweredOf(api)?.call.key !== key;
      const giveUp = (reason: string) => {
        settle(key);
        if (!isTold()) refuse(reason);
        return null;
      };
      try {
        const answer = await placeOrFind(api, sent, isTold);
        if (answer === null) return giveUp("Your call did not arrive. Nothing was placed.");
        const { call, wallet } = answer;
        applyCall(call);
        // The wallet may contain what is not shown yet. Until it is, the wager stays held.
        streamDelay.show(() => receiveWallet(wallet, key));
        // One that had to be looked up may have been taken back meanwhile.
        if (call.active) announce(texts.youCalled(call.label, call.wagerCents));
        return call;
      } catch (error) {
        return giveUp(textOf(error, "No answer. If your call arrived, it shows here once you are back."));
      }
    },
    [api, settle, receiveWallet, applyCall, refuse, announce],
  );
}

async function placeOrFind(
  api: Api,
  { key, spot, ...call }: SentCall,
  isTold: () => boolean,
): Promise<CallAnswer | null> {
  try {
    return await placeWithKey(api, { key, spotId: spot.id, ...call });
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    return findPlaced(api, key, isTold);
  }
}

/** Takes a call back, and asks until there is an answer or a message says that it was done. @returns true if it was. */
export function useCancelRequest({ applyCall, refuse, announce }: Outcome) {
  const api = useApi();
  const asked = useRef<{ id: number; isDone: () => void } | null>(null);
  useOwnCalls(({ call }) => {
    const isOwnAct = call.state === "soft_destroyed" && call.refundedBy === null;
    if (isOwnAct && call.id === asked.current?.id) asked.current.isDone();
  });
  return useCallback(
    async (call: CallView): Promise<boolean> => {
      const { promise: told, resolve: isDone } = Promise.withResolvers<void>();
      asked.current = { id: call.id, isDone };
      // Every pool of a later time is without it, or is followed by one that is.
      const sentAt = new Date(trueNow()).toISOString();
      const checking = setTimeout(
        () => showToast({ icon: "info", text: "Checking whether your call was taken back.", urgent: true }),
        CHECKING_AFTER_MS,
      );
      try {
        await Promise.race([
          told,
          untilAnswered((signal) => api.delete(`/api/v1/calls/${call.id}`, { signal })),
        ]);
        applyCall({ ...call, state: "soft_destroyed", active: false, cancellable: false }, sentAt);
        announce(
          `Taken back: ${call.label}, ${formatMoney(call.wagerCents)}. Undo is there for 5 seconds, or press Control Z.`,
        );
        return true;
      } catch (error) {
        refuse(textOf(error, "No answer. Your call shows here as it is once you are back."));
        return false;
      } finally {
        clearTimeout(checking);
        asked.current = null;
      }
    },
    [api, applyCall, refuse, announce],
  );
}

/** @param unknown the text where there was no answer at all. */
function textOf(error: unknown, unknown: string): string {
  if (error instanceof ApiError) return refusalText(error);
  return error instanceof Unreachable ? unknown : words.thatDidNotWork;
}

/**
 * Looks up what became of a call, by its key, until the server has said it: also after a connection that was away for long.
 * @param isTold true once the page knows it from elsewhere.
 * @returns the call with its owner's wallet; null if it was not placed.
 * @throws ApiError for a viewer who may not ask any more; Unreachable where the page may not.
 */
async function findPlaced(api: Api, key: string, isTold: () => boolean): Promise<CallAnswer | null> {
  for (let missing = 0; missing < MISSING_TIMES;) {
    // All pages of a show may be back at the same moment.
    await pause(LOOK_EVERY_MS * (0.5 + Math.random()));
    if (isTold()) return null;
    if (isDismissed()) throw new Unreachable("The page may not ask.");
    try {
      const found = await look(api, key);
      if (found !== null) return found;
      missing += 1;
    } catch (error) {
      if (isAnswer(error) && error.status !== TOO_MANY_REQUESTS) throw error;
    }
  }
  return null;
}

async function look(api: Api, key: string): Promise<CallAnswer | null> {
  const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  const { calls } = await api.get("/api/v1/calls", { query: { idempotencyKey: key }, signal });
  const [call] = calls;
  if (call === undefined) return null;
  const { wallet } = await api.get(`/api/v1/users/${call.userId}/wallet`, { signal });
  return { call, wallet };
}

type Placement = { key: string; spotId: number; wagerCents: number; onTheHouse: boolean };

/** Places a call, and retries until there is an answer. Under the same key it counts once. @throws as `untilAnswered` does. */
export function placeWithKey(
  api: Api,
  { key, spotId, wagerCents, onTheHouse }: Placement,
): Promise<CallAnswer> {
  return untilAnswered((signal) =>
    api.post(
      "/api/v1/calls",
      { call: { spotId, wager: wagerCents / CENTS_PER_DOLLAR, ...(onTheHouse ? { onTheHouse } : {}) } },
      { headers: { "idempotency-key": key }, signal },
    ),
  );
}

/**
 * Sends a request, and sends it again until there is an answer. It must count once however often it arrives.
 * @throws ApiError with the server's refusal, also if the server was overloaded on each attempt. Unreachable if it is unknown
 *   whether an attempt has arrived: after eight attempts without an answer, and after a refusal that says nothing about the
 *   attempts before it, such as "signed out".
 */
async function untilAnswered<Answer>(ask: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
  let isUntried = true;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask(AbortSignal.timeout(REQUEST_TIMEOUT_MS));
    } catch (error) {
      // What judges the request knows the attempts before it. What refuses it before that does not.
      if (isAnswer(error) && (isUntried || error.status === INVALID)) throw error;
      // An attempt without an answer may have arrived. From then on "too many calls" does not prove that nothing was done.
      isUntried &&= isBusy(error);
      if (isUntried && attempt === BUSY_ATTEMPTS_MAX) throw error;
      if (isAnswer(error) || attempt === ATTEMPTS_MAX) throw new Unreachable("No answer.", { cause: error });
      await pause(retryDelayMs(error));
    }
  }
}

/** A refusal (4xx) is an answer; a 5xx is not. */
function isAnswer(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status < 500;
}

/** The request was refused before anything was tried. */
function isBusy(error: unknown): error is ApiError {
  return error instanceof ApiError && error.body?.code === "too_many_calls";
}

/** The wait that an overloaded server asks for, plus jitter. */
function retryDelayMs(error: unknown): number {
  if (!isBusy(error)) return RETRY_MS;
  return error.retryAfterS * SECOND_MS + Math.random() * RETRY_MS;
}
