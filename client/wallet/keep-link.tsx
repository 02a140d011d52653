import type { ReactNode } from "react";
import { Link, useLocation } from "react-router";
import { formatMoney } from "../base/format/money.ts";
import { usePage } from "../base/page/context.ts";
import { useWallet } from "./wallet-state.tsx";

/** @param rank "12", "=2"; null without one. */
const keep = (amount: string, rank: string | null) =>
  rank === null ? `Keep your ${amount}` : `Keep your ${amount} and rank ${rank}`;

type KeepLinkProps = {
  className?: string;
  /** The guest's rank here; null without one. */
  rank?: string | null;
  icon?: ReactNode;
  children?: ReactNode;
};

/** For guests: the way to an account and back, in the words of what it keeps. Nothing for everybody else. */
export function KeepLink({ className, rank = null, icon, children }: KeepLinkProps) {
  const { availableCents } = useWallet();
  const { pathname } = useLocation();
  const { viewer, closed } = usePage();
  if (viewer?.guest !== true || closed?.registration !== undefined) return null;
  return (
    <Link className={className} to={`/users/guest_registration?return_to=${pathname}`}>
      {icon}
      {keep(formatMoney(availableCents), rank)}
      {children}
    </Link>
  );
}
