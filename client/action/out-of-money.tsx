import { isBroke } from "#src/wallet/contract.ts";
import { Icon } from "../ui/icon.tsx";
import { TopUpForm, topUpWords, useTopUpOutcome } from "../wallet/top-up.tsx";
import { useWallet } from "../wallet/wallet-state.tsx";

/** True for a player who has nothing left to wager, and nothing on its way. */
export function useOutOfMoney(): boolean {
  const { wallet, pending } = useWallet();
  return wallet !== null && !pending && isBroke(wallet);
}

/** The line under the pool for such a player. */
export function OutOfMoney() {
  const later = useTopUpOutcome() === "topped_up_today";
  return (
    <div className="mine">
      <Icon name="wallet" />
      <span className="clip">{later ? "You can top up again tomorrow." : "Your play money is used up."}</span>
      {later ? null : (
        <TopUpForm>
          <button className="act" type="submit">
            {topUpWords}
          </button>
        </TopUpForm>
      )}
    </div>
  );
}
