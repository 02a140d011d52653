import { Link, useLoaderData } from "react-router";
import { countOf } from "../ui/count.ts";
import { Cover } from "../ui/cover.tsx";
import { formatMoney } from "../ui/money.ts";
import { Note } from "../ui/note.tsx";
import { BalanceChip } from "../wallet/balance-chip.tsx";
import { useWallet } from "../wallet/wallet-state.tsx";
import type { GuestData } from "./load-guest.ts";

/** Where guests are stopped: what to do to see the rest, what they keep, and the way back to the game. */
export function GuestScreen() {
  const { active } = useLoaderData<GuestData>();
  return (
    <Cover corner={<BalanceChip />}>
      <section className="dialog">
        <h1>Welcome, guest user!</h1>
        <p className="ink2">To view the rest of the site, you need to finish creating your account.</p>
        <Keeps />
        <Link className="btn primary lg wide" to="/users/guest_registration">
          Create Account
        </Link>
        {active === null ? null : (
          <Link className="btn ghost wide" to={`/sessions/${active.slug}`}>
            Back to the live session
          </Link>
        )}
      </section>
    </Cover>
  );
}

/** What a guest takes along into the account. */
export function Keeps() {
  const { wallet, availableCents } = useWallet();
  if (wallet === null) return null;
  const { callsPlaced } = wallet.metrics;
  const amount = formatMoney(availableCents);
  if (callsPlaced === 0) return <Note>{`Your ${amount} comes with you.`}</Note>;
  return <Note>{`Your ${amount} and your ${countOf(callsPlaced, "call")} come with you.`}</Note>;
}
