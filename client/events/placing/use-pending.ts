import { startTransition, useCallback, useEffect, useState } from "react";
import { useApi } from "#client/base/page/context.ts";
import { useWallet } from "#client/wallet/wallet-state.tsx";
import type { ApplyCall } from "../known-calls.ts";
import { onItsWayMs, type SentCall, unansweredOf } from "./unanswered.ts";

/** A call that was sent, and of which it is not known yet what became of it. */
export type Pending = SentCall & { checking: boolean };

/**
 * The call being sent, and its wager in the wallet. It is shown as being checked when its answer takes long.
 * @param applyCall takes a call that was sent before this screen was left and opened again.
 */
export function usePending(applyCall: ApplyCall) {
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
