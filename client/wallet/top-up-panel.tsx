import { TOP_UP_TO_CENTS } from "#db/lists/limits.ts";
import { isBroke } from "#src/money/wallet/contract.ts";
import type { WalletView } from "#src/money/wallet/schemas.ts";
import { Note } from "../ui/note.tsx";
import { Panel } from "../ui/page-layout.tsx";
import { Submit } from "../ui/submit.tsx";
import { TopUpForm, topUpLabel, useTopUpOutcome } from "./top-up.tsx";
import * as texts from "./wallet-texts.ts";

/** On the wallet's page: tops up an empty wallet with play money, and shows the outcome. */
export function TopUp({ wallet }: { wallet: WalletView }) {
  const outcome = useTopUpOutcome();
  if (!isBroke(wallet)) {
    if (outcome === "done") {
      return <Note tone="ok">{texts.toppedUp(wallet.availableBalanceCents)}</Note>;
    }
    return outcome === null ? null : <Note>{texts.nothingToTopUp}</Note>;
  }
  return (
    <Panel title={texts.outOfPlayMoney}>
      <div className="body stack">
        {outcome === "topped_up_today" ? (
          <Note>{texts.toppedUpToday}</Note>
        ) : (
          <>
            <p className="small ink2">{texts.topUpHint(TOP_UP_TO_CENTS)}</p>
            {wallet.owedCents === 0 ? null : <p className="small ink2">{texts.owedFirstHint}</p>}
            <TopUpForm>
              <Submit>{topUpLabel}</Submit>
            </TopUpForm>
          </>
        )}
      </div>
    </Panel>
  );
}
