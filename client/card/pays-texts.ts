import { formatMoney } from "../base/format/money.ts";

/** The texts of what a call can win. */

export const title = "What a call can win";
export const close = "Got it";
export const pot = (potCents: number) =>
  potCents === 0
    ? "All wagers go into one pot. It is empty now."
    : `All wagers are one pot: ${formatMoney(potCents)} now.`;
type Share = { label: string; ownCents: number; winningCents: number; payCents: number };
/** @param own the player's wagers are in the pot already. */
export const share = ({ label, ownCents, winningCents, payCents }: Share, own: boolean) => {
  const wager = own ? `your ${formatMoney(ownCents)}` : `${formatMoney(ownCents)} more`;
  const of = ownCents === winningCents ? "" : ` of ${formatMoney(winningCents)} there`;
  return `If it is ${label}, those who called it share the pot: ${wager}${of} could pay ${formatMoney(payCents)}.`;
};
export const firstShare =
  "Those who are right share it, by what each has put in: you win what the others put against you.";
export const until =
  "Each call until the close changes that. If nobody takes the other side, you have your wager back.";
export const now = "The pot now";
export const ifRight = (label: string) => `If it is ${label}`;
export const you = (payCents: number) => `You ${formatMoney(payCents)}`;
export const others = "The others";
