import { Link, useLoaderData } from "react-router";
import { formatMoney } from "#client/base/format/money.ts";
import { haveACode } from "#client/join-codes/join-texts.ts";
import * as texts from "#client/sign-ins/guest-texts.ts";
import { Cover } from "#client/ui/cover.tsx";
import { Note } from "#client/ui/note.tsx";
import { BalanceChip } from "#client/wallet/balance-chip.tsx";
import { useWallet } from "#client/wallet/wallet-state.tsx";
import type { GuestData } from "./load-guest.ts";
import { NameAndFace } from "./name-and-face.tsx";

/** The page that guests see instead of pages for accounts: how to create an account, what it keeps, and the way back. */
export function GuestScreen() {
  return (
    <Cover corner={<BalanceChip />}>
      <section className="dialog">
        <h1>{texts.welcomeTitle}</h1>
        <p className="ink2">{texts.welcomeHint}</p>
        <Link className="btn primary lg wide" to="/users/guest_registration">
          {texts.createAccount}
        </Link>
        <GuestBalanceNote />
        <BackToLive />
        <Link className="btn ghost wide" to="/join">
          {haveACode}
        </Link>
      </section>
      <NameAndFace />
    </Cover>
  );
}

/** The way back to the game; nothing while no session is live. */
export function BackToLive() {
  const { active } = useLoaderData<GuestData>();
  if (active === null) return null;
  return (
    <Link className="btn ghost wide" to={`/sessions/${active.slug}`}>
      {texts.backToLive}
    </Link>
  );
}

/** The balance and the rank that a guest keeps in a new account. */
export function GuestBalanceNote() {
  const { wallet, availableCents } = useWallet();
  if (wallet === null) return null;
  const kept = wallet.metrics.callsPlaced === 0 ? texts.moneyKept : texts.moneyAndRankKept;
  return <Note>{kept(formatMoney(availableCents))}</Note>;
}
