import { useCallback, useRef, useState } from "react";
import type { CallAnswer, CallView } from "#src/calls/schemas.ts";
import type { SpotView } from "#src/spots/schemas.ts";
import { ApiError } from "../api.ts";
import { useApi } from "../context.ts";
import { Unreachable } from "../reach.ts";
import { refusalText } from "../refused.ts";
import { formatMoney } from "../ui/money.ts";
import { showToast } from "../ui/toast.tsx";
import { useWallet } from "../wallet/wallet-state.tsx";
import { placeWithKey } from "./place-with-key.ts";

const CHECKING_AFTER_MS = 3_000;

/** A call that is on its way. */
export type Pending = { key: string; spot: SpotView; wagerCents: number; checking: boolean };

export type Placing = {
  /** The call on its way; null where there is none. */
  pending: Pending | null;
  /** Why the last one did not stand; it goes with the next. */
  refusal: string | null;
  /** What went well last, for those who hear the page. */
  news: string;
  place: (spot: SpotView, wagerCents: number) => Promise<void>;
  cancel: (call: CallView) => Promise<void>;
  /** Says why a call is not even sent. */
  refuse: (reason: string) => void;
};

/**
 * Places calls at once on the screen, then with the server; what it refuses is taken back with its reason. One thing at a
 * time: a second press while the first is on its way is taken for a slip of the finger.
 */
export function usePlacing(takeCall: (call: CallView) => void): Placing {
  const api = useApi();
  const { hold, settle, takeWallet } = useWallet();
  const [pending, setPending] = useState<Pending | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [news, setNews] = useState("");
  const alone = useOneAtATime();

  const place = useCallback(
    (spot: SpotView, wagerCents: number) =>
      alone(async () => {
        const key = crypto.randomUUID();
        setRefusal(null);
        setPending({ key, spot, wagerCents, checking: false });
        hold(key, wagerCents);
        const timer = setTimeout(() => {
          setPending((now) => (now?.key === key ? { ...now, checking: true } : now));
        }, CHECKING_AFTER_MS);
        try {
          const { call, wallet }: CallAnswer = await placeWithKey(api, { key, spotId: spot.id, wagerCents });
          takeCall(call);
          takeWallet(wallet);
          setNews(`You called ${call.label}, ${formatMoney(call.wagerCents)}.`);
        } catch (error) {
          setRefusal(said(textOf(error)));
        } finally {
          clearTimeout(timer);
          settle(key);
          setPending((now) => (now?.key === key ? null : now));
        }
      }),
    [alone, api, hold, settle, takeCall, takeWallet],
  );

  const cancel = useCallback(
    (call: CallView) =>
      alone(async () => {
        try {
          await api.delete(`/api/v1/calls/${call.id}`);
          takeCall({ ...call, state: "soft_destroyed", active: false, cancellable: false });
          setNews(`Taken back: ${call.label}, ${formatMoney(call.wagerCents)}.`);
        } catch (error) {
          setRefusal(said(textOf(error)));
        }
      }),
    [alone, api, takeCall],
  );
  const refuse = useCallback((reason: string) => setRefusal(said(reason)), []);
  return { pending, refusal, news, place, cancel, refuse };
}

/** Runs work unless other work is still running. */
function useOneAtATime(): (work: () => Promise<void>) => Promise<void> {
  const busy = useRef(false);
  return useCallback(async (work) => {
    if (busy.current) return;
    busy.current = true;
    await work().finally(() => {
      busy.current = false;
    });
  }, []);
}

/** Says what went wrong where the eye is, and aloud. */
function said(text: string): string {
  showToast({ icon: "warning", text, urgent: true });
  return text;
}

function textOf(error: unknown): string {
  if (error instanceof ApiError) return refusalText(error);
  if (error instanceof Unreachable)
    return "No answer. If your call arrived, it shows here once you are back.";
  return "That did not work. Try again.";
}
