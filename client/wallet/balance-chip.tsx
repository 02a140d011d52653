import { Link } from "react-router";
import { formatMoney } from "../base/format/money.ts";
import { useViewer } from "../base/page/context.ts";
import { Icon } from "../ui/icon.tsx";
import { useWallet } from "./wallet-state.tsx";

const available = (amount: string) => `Available ${amount}`;

/** What the player can wager, as a link to the wallet, which guests do not have. It is dimmed while a wager is on its way. */
export function BalanceChip() {
  const { wallet, availableCents, pending } = useWallet();
  const guest = useViewer()?.guest === true;
  if (wallet === null) return null;
  const amount = formatMoney(availableCents);
  const shown = (
    <>
      <Icon name="wallet" size="s" />
      <span className={pending ? "pending" : ""} translate="no">
        {amount}
      </span>
    </>
  );
  if (guest) {
    return (
      <span className="balance" role="img" aria-label={available(amount)}>
        {shown}
      </span>
    );
  }
  return (
    <Link className="balance" to="/profile/wallet" aria-label={available(amount)}>
      {shown}
    </Link>
  );
}
