import type { ReactNode } from "react";
import { Form, useLocation, useSearchParams } from "react-router";
import { isBroke, TOP_UP_TO_CENTS } from "#src/wallet/contract.ts";
import type { WalletView } from "#src/wallet/schemas.ts";
import { CsrfField } from "../frame/csrf-field.tsx";
import { formatMoney, formatShortMoney } from "../ui/money.ts";
import { Note } from "../ui/note.tsx";
import { Panel } from "../ui/page-layout.tsx";
import { TOP_UP_PARAM, topUpOutcomes } from "./send-top-up.ts";

/** On the wallet's page: tops up an empty wallet with play money, and shows the outcome. */
export function TopUp({ wallet }: { wallet: WalletView }) {
  const outcome = useTopUpOutcome();
  if (!isBroke(wallet)) {
    if (outcome === "done") {
      return <Note tone="ok">Topped up: {formatMoney(wallet.availableBalanceCents)} to play with.</Note>;
    }
    return outcome === null ? null : <Note>Your wallet is not empty, so there is nothing to top up.</Note>;
  }
  return (
    <Panel title="Out of play money?">
      <div className="body stack">
        {outcome === "topped_up_today" ? (
          <Note>You have topped up today. You can top up again tomorrow.</Note>
        ) : (
          <>
            <p className="small ink2">Once a day you can go on with {formatShortMoney(TOP_UP_TO_CENTS)}.</p>
            {wallet.owedCents === 0 ? null : (
              <p className="small ink2">What you owe is paid from it first.</p>
            )}
            <TopUpForm>
              <button className="btn primary" type="submit">
                {topUpLabel}
              </button>
            </TopUpForm>
          </>
        )}
      </div>
    </Panel>
  );
}

/** "Top up to $10" */
export const topUpLabel = `Top up to ${formatShortMoney(TOP_UP_TO_CENTS)}`;

/** The form around the button. It returns to this page. */
export function TopUpForm({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  return (
    <Form method="post" action="/profile/wallet/top_up" preventScrollReset>
      <CsrfField />
      <input type="hidden" name="return_to" value={pathname} />
      {children}
    </Form>
  );
}

/** The outcome of a top-up, from the address; null where there was none. */
export function useTopUpOutcome() {
  const [search] = useSearchParams();
  const value = search.get(TOP_UP_PARAM);
  return topUpOutcomes.find((outcome) => outcome === value) ?? null;
}
