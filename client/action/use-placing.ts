import { startTransition, useCallback, useRef, useState } from "react";
import type { CallAnswer, CallView } from "#src/calls/schemas.ts";
import type { SpotView } from "#src/spots/schemas.ts";
import { ApiError } from "../api.ts";
import { afterPaint } from "../browser/after-paint.ts";
import { randomId } from "../browser/random-id.ts";
import { useOwnCalls } from "../calls/own-calls.ts";
import { useApi } from "../context.ts";
import { behind } from "../delay/behind.ts";
import { refusalText } from "../refused.ts";
import { Unreachable } from "../request-with-retry.ts";
import { showToast } from "../ui/toast.tsx";
import { useWallet } from "../wallet/wallet-state.tsx";
import * as texts from "./action-texts.ts";
import { placeWithKey } from "./place-with-key.ts";
import { setPressedSpot } from "./pressed-spot.ts";

const CHECKING_AFTER_MS = 3_000;

/** A call that was sent and has no answer yet. */
export type Pending = { key: string; spot: SpotView; wagerCents: number; checking: boolean };

export type Placing = {
  /** Null if no call is being sent. */
  pending: Pending | null;
  /** Why the last call was refused; cleared by the next one. */
  refusal: string | null;
  /** The latest success, for screen readers. */
  news: string;
  place: (spot: SpotView, wagerCents: number) => Promise<void>;
  cancel: (call: CallView) => Promise<void>;
  /** Shows why a call is not sent at all. */
  refuse: (reason: string) => void;
};

/**
 * Places and cancels calls. A call is shown at once, and removed with the reason if the server refuses it: first the pressed
 * side, and when that is painted, the rest, while the request is on its way. Whichever comes first, the answer or the cable's
 * message, ends the waiting. One request at a time: a second press during a request is ignored as accidental.
 */
export function usePlacing(applyCall: (call: CallView) => void): Placing {
  const api = useApi();
  const { settle, confirmHold, receiveWallet } = useWallet();
  const { pending, begin, clear } = usePending();
  const [refusal, setRefusal] = useState<string | null>(null);
  const [news, setNews] = useState("");
  const runExclusive = useExclusive();
  const sending = useConfirmation(({ key, call }) => {
    confirmHold(key);
    clear();
    setNews(placedText(call));
  });

  const place = useCallback(
    (spot: SpotView, wagerCents: number) =>
      runExclusive(async () => {
        setPressedSpot(spot);
        await afterPaint();
        const key = randomId();
        sending.current = { key, confirmed: false };
        startTransition(() => setRefusal(null));
        const end = begin({ key, spot, wagerCents });
        try {
          const { call, wallet }: CallAnswer = await placeWithKey(api, { key, spotId: spot.id, wagerCents });
          applyCall(call);
          // The wallet may contain what is not shown yet. Until it is, the wager stays held.
          behind.show(() => receiveWallet(wallet, key));
          setNews(placedText(call));
        } catch (error) {
          settle(key);
          // Without an answer the cable may have said that the call is placed.
          if (!sending.current.confirmed) setRefusal(announceRefusal(textOf(error)));
        } finally {
          end();
          setPressedSpot(null);
        }
      }),
    [runExclusive, sending, api, begin, settle, applyCall, receiveWallet],
  );

  const cancel = useCallback(
    (call: CallView) =>
      runExclusive(async () => {
        try {
          await api.delete(`/api/v1/calls/${call.id}`);
          applyCall({ ...call, state: "soft_destroyed", active: false, cancellable: false });
          setNews(texts.takenBack(call.label, call.wagerCents));
        } catch (error) {
          setRefusal(announceRefusal(textOf(error)));
        }
      }),
    [runExclusive, api, applyCall],
  );
  const refuse = useCallback((reason: string) => setRefusal(announceRefusal(reason)), []);
  return { pending, refusal, news, place, cancel, refuse };
}

/** The call being sent, and its wager in the wallet. It is shown as being checked when its answer takes long. */
function usePending() {
  const { hold } = useWallet();
  const [pending, setPending] = useState<Pending | null>(null);
  const begin = useCallback(
    (call: Omit<Pending, "checking">) => {
      const { key } = call;
      const update = (next: (now: Pending) => Pending | null) =>
        setPending((now) => (now?.key === key ? next(now) : now));
      // As a transition React renders it in slices, so that the next touch does not wait.
      startTransition(() => {
        setPending({ ...call, checking: false });
        hold(key, call.wagerCents);
      });
      const timer = setTimeout(() => update((now) => ({ ...now, checking: true })), CHECKING_AFTER_MS);
      return () => {
        clearTimeout(timer);
        update(() => null);
      };
    },
    [hold],
  );
  return { pending, begin, clear: () => setPending(null) };
}

type Confirmation = { key: string; call: CallView };

/** Calls `confirm` when the cable says that the call being sent is placed. @returns the key of that call. */
function useConfirmation(confirm: (confirmation: Confirmation) => void) {
  const sending = useRef({ key: "", confirmed: false });
  useOwnCalls(({ call, idempotencyKey: key }) => {
    if (key === undefined || key !== sending.current.key) return;
    sending.current.confirmed = true;
    confirm({ key, call });
  });
  return sending;
}

function placedText({ label, wagerCents }: CallView): string {
  return texts.youCalled(label, wagerCents);
}

/** Runs work unless other work is still running. */
function useExclusive(): (work: () => Promise<void>) => Promise<void> {
  const busy = useRef(false);
  return useCallback(async (work) => {
    if (busy.current) return;
    busy.current = true;
    await work().finally(() => {
      busy.current = false;
    });
  }, []);
}

/** Shows what went wrong in a toast, which screen readers announce. */
function announceRefusal(text: string): string {
  showToast({ icon: "warning", text, urgent: true });
  return text;
}

function textOf(error: unknown): string {
  if (error instanceof ApiError) return refusalText(error);
  if (error instanceof Unreachable) return texts.noAnswer;
  return texts.failedTryAgain;
}
