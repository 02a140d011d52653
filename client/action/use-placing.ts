import { useCallback, useRef, useState } from "react";
import type { CallAnswer, CallView } from "#src/calls/schemas.ts";
import type { SpotView } from "#src/spots/schemas.ts";
import { ApiError } from "../api.ts";
import { useOwnCalls } from "../calls/own-calls.ts";
import { useApi } from "../context.ts";
import { refusalText } from "../refused.ts";
import { Unreachable } from "../request-with-retry.ts";
import { formatMoney } from "../ui/money.ts";
import { showToast } from "../ui/toast.tsx";
import { useWallet } from "../wallet/wallet-state.tsx";
import { placeWithKey } from "./place-with-key.ts";

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
 * Places and cancels calls. A call is shown at once, and removed with the reason if the server refuses it. Whichever comes
 * first, the answer or the cable's message, ends the waiting. One request at a time: a second press during a request is ignored
 * as accidental.
 */
export function usePlacing(applyCall: (call: CallView) => void): Placing {
  const api = useApi();
  const { hold, settle, confirmHold, receiveWallet } = useWallet();
  const [pending, setPending] = useState<Pending | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [news, setNews] = useState("");
  const runExclusive = useExclusive();
  const sending = useConfirmation(({ key, call }) => {
    confirmHold(key);
    setPending(null);
    setNews(placedText(call));
  });

  const place = useCallback(
    (spot: SpotView, wagerCents: number) =>
      runExclusive(async () => {
        const key = crypto.randomUUID();
        setRefusal(null);
        setPending({ key, spot, wagerCents, checking: false });
        sending.current = { key, confirmed: false };
        hold(key, wagerCents);
        const timer = setTimeout(() => {
          setPending((now) => (now?.key === key ? { ...now, checking: true } : now));
        }, CHECKING_AFTER_MS);
        try {
          const { call, wallet }: CallAnswer = await placeWithKey(api, { key, spotId: spot.id, wagerCents });
          applyCall(call);
          receiveWallet(wallet);
          setNews(placedText(call));
        } catch (error) {
          // Without an answer the cable may have said that the call is placed.
          if (!sending.current.confirmed) setRefusal(announceRefusal(textOf(error)));
        } finally {
          clearTimeout(timer);
          settle(key);
          setPending((now) => (now?.key === key ? null : now));
        }
      }),
    [runExclusive, sending, api, hold, settle, applyCall, receiveWallet],
  );

  const cancel = useCallback(
    (call: CallView) =>
      runExclusive(async () => {
        try {
          await api.delete(`/api/v1/calls/${call.id}`);
          applyCall({ ...call, state: "soft_destroyed", active: false, cancellable: false });
          setNews(`Taken back: ${call.label}, ${formatMoney(call.wagerCents)}.`);
        } catch (error) {
          setRefusal(announceRefusal(textOf(error)));
        }
      }),
    [runExclusive, api, applyCall],
  );
  const refuse = useCallback((reason: string) => setRefusal(announceRefusal(reason)), []);
  return { pending, refusal, news, place, cancel, refuse };
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
  return `You called ${label}, ${formatMoney(wagerCents)}.`;
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
  if (error instanceof Unreachable)
    return "No answer. If your call arrived, it shows here once you are back.";
  return "That did not work. Try again.";
}
