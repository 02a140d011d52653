import { startTransition, useCallback, useEffect, useRef, useState } from "react";
import { useAfter } from "#client/base/browser/use-after.ts";
import { beforeLateCode } from "#client/base/live/late-code.ts";
import type { CallView } from "#src/play/calls/schemas.ts";
import type { SpotView } from "#src/play/spots/schemas.ts";
import { afterPaint } from "../base/browser/after-paint.ts";
import { randomId } from "../base/browser/random-id.ts";
import { useApi } from "../base/page/context.ts";
import { useOwnCalls } from "../calls/own-calls.ts";
import { showToast } from "../ui/toast.tsx";
import { useWallet } from "../wallet/wallet-state.tsx";
import * as texts from "./action-texts.ts";
import type { ApplyCall } from "./known-calls.ts";
import { setPressedSpot } from "./pressed-spot.ts";
import {
  awaitAnswer,
  onItsWayMs,
  type SentCall,
  unansweredOf,
  useCancelRequest,
  usePlaceRequest,
} from "./use-requests.ts";

/** A call that was sent, and of which it is not known yet what became of it. */
export type Pending = SentCall & { checking: boolean };

export type Placing = {
  /** Null if no call is being sent. */
  pending: Pending | null;
  /** A call was just placed: the sides take no other one for a moment. */
  resting: boolean;
  /** The call that was just taken back, and is offered to be placed again; null for none. */
  takenBack: CallView | null;
  refusal: string | null;
  /** The latest success, for screen readers. */
  news: string;
  /** @param onTheHouse the page has said that the house adds what is missing. */
  place: (spot: SpotView, wagerCents: number, onTheHouse?: boolean) => Promise<void>;
  cancel: (call: CallView) => Promise<void>;
  /** Shows why a call is not sent at all. */
  refuse: (reason: string) => void;
  announce: (news: string) => void;
};

/** Two presses this close are one: the second is the end of a double click, or of a finger that trembles. */
const REST_MS = 1_000;

const UNDO_MS = 5_000;

/**
 * Places and cancels calls. A call is shown at once, and removed with the reason if the server refuses it: first the pressed
 * side, and when that is painted, the rest, while the request is on its way. The answer or the cable's message, whichever is
 * first, ends the waiting. Without an answer the call stays as it is until it was looked up, and no other one is sent. One
 * request at a time, and a pause after it: a second press meanwhile is ignored as accidental.
 */
export function usePlacing(applyCall: ApplyCall): Placing {
  const api = useApi();
  const { pending, begin, clear } = usePending(applyCall);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [news, announce] = useState("");
  const refuse = useCallback((reason: string) => setRefusal(announceRefusal(reason)), []);
  const runExclusive = useExclusive();
  const requestPlace = usePlaceRequest({ applyCall, refuse, announce });
  const requestCancel = useCancelRequest({ applyCall, refuse, announce });
  const { isResting: resting, begin: restSides, end: wakeSides, isOn: areSidesResting } = useRest();
  const { begin: restCancel, isOn: isCancelResting } = useRest();
  const { takenBack, offer, withdraw } = useTakenBack();
  useConfirmation((call) => {
    clear();
    announce(texts.youCalled(call.label, call.wagerCents));
  });

  const place = useCallback(
    async (spot: SpotView, wagerCents: number, onTheHouse = false) => {
      if (areSidesResting()) return;
      await runExclusive(async () => {
        setPressedSpot(spot);
        await afterPaint();
        const key = randomId();
        const call = { key, spot, wagerCents, onTheHouse };
        startTransition(() => {
          setRefusal(null);
          withdraw();
        });
        const end = begin(call);
        const placed = await awaitAnswer(api, call, requestPlace(call));
        if (placed !== null) restSides();
        end();
        setPressedSpot(null);
      });
    },
    [runExclusive, areSidesResting, api, withdraw, begin, requestPlace, restSides],
  );

  const cancel = useCallback(
    async (call: CallView) => {
      if (isCancelResting()) return;
      await runExclusive(async () => {
        if (!(await requestCancel(call))) return;
        restCancel();
        // What is pressed after a cancellation is meant.
        wakeSides();
        offer(call);
      });
    },
    [runExclusive, isCancelResting, requestCancel, restCancel, wakeSides, offer],
  );
  return { pending, resting, takenBack, refusal, news, place, cancel, refuse, announce };
}

/** Calls `confirm` when the cable says that the call being sent is placed. */
function useConfirmation(confirm: (call: CallView) => void): void {
  const api = useApi();
  const { confirmHold } = useWallet();
  useOwnCalls(({ call, idempotencyKey: key }) => {
    const sent = unansweredOf(api);
    if (key === undefined || sent?.call.key !== key) return;
    confirmHold(key);
    sent.resolve(call);
    confirm(call);
  });
}

/** Shows what went wrong in a toast, which screen readers announce. */
function announceRefusal(text: string): string {
  showToast({ icon: "warning", text, urgent: true });
  return text;
}

/** Runs work unless other work still runs, or a call has no answer yet: such a press is ignored as accidental. */
function useExclusive(): (work: () => Promise<void>) => Promise<void> {
  const api = useApi();
  const busy = useRef(false);
  return useCallback(
    async (work) => {
      const sent = unansweredOf(api);
      if (sent !== undefined && onItsWayMs(sent) === 0) {
        showToast({ icon: "info", text: "Your last call is still being checked.", urgent: true });
      }
      if (busy.current || sent !== undefined) return;
      busy.current = true;
      await beforeLateCode(work).finally(() => {
        busy.current = false;
      });
    },
    [api],
  );
}

/**
 * A moment in which a control takes no further press.
 * @returns `begin` starts it, and `end` ends it before its time; `isResting` is for what is shown, and `isOn` for the press itself,
 *   which may come before the render.
 */
function useRest() {
  const [isResting, setResting] = useState(false);
  const untilMs = useRef(0);
  useAfter(REST_MS, isResting, () => setResting(false));
  const begin = useCallback(() => {
    untilMs.current = performance.now() + REST_MS;
    setResting(true);
  }, []);
  const end = useCallback(() => {
    untilMs.current = 0;
    setResting(false);
  }, []);
  const isOn = useCallback(() => performance.now() < untilMs.current, []);
  return { isResting, begin, end, isOn };
}

/** The call that was just taken back. For 5 s it is offered to be placed again. */
function useTakenBack() {
  const [takenBack, setTakenBack] = useState<CallView | null>(null);
  useAfter(UNDO_MS, takenBack, () => setTakenBack(null));
  const withdraw = useCallback(() => setTakenBack(null), []);
  return { takenBack, offer: setTakenBack, withdraw };
}

/** The call being sent, and its wager in the wallet; it is shown as being checked when its answer takes long. */
function usePending(applyCall: ApplyCall) {
  const api = useApi();
  const { hold } = useWallet();
  const [pending, setPending] = useState<Pending | null>(() => {
    const sent = unansweredOf(api);
    return sent === undefined ? null : { ...sent.call, checking: onItsWayMs(sent) === 0 };
  });
  const follow = useCallback(({ key }: SentCall, sentAtMs: number) => {
    const update = (next: (now: Pending) => Pending | null) =>
      setPending((now) => (now?.key === key ? next(now) : now));
    const check = () => update((now) => ({ ...now, checking: true }));
    const timer = setTimeout(check, onItsWayMs({ sentAtMs }));
    return () => {
      clearTimeout(timer);
      update(() => null);
    };
  }, []);
  useEffect(() => {
    const sent = unansweredOf(api);
    if (sent === undefined) return;
    const end = follow(sent.call, sent.sentAtMs);
    void sent.answer.then((call) => {
      end();
      if (call !== null) applyCall(call);
    });
  }, [api, follow, applyCall]);
  const begin = useCallback(
    (call: SentCall) => {
      // As a transition React renders it in slices, so that the next touch does not wait.
      startTransition(() => {
        setPending({ ...call, checking: false });
        hold(call.key, call.wagerCents);
      });
      return follow(call, performance.now());
    },
    [follow, hold],
  );
  return { pending, begin, clear: () => setPending(null) };
}
