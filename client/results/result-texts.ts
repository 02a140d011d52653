import { say } from "#src/http/contract.ts";
import { countOf, formatCount } from "../base/format/count.ts";
import { formatChange, formatMoney } from "../base/format/money.ts";

export const resultTexts = {
  /** @param streak "3 in a row"; empty for none. */
  won: (netCents: number, streak: string) =>
    `You called it: ${formatChange(netCents)}${streak === "" ? "" : `, ${streak}`}`,
  /** In the row, beside the amount in large digits. @param streak as above. */
  wonShort: (streak: string) => (streak === "" ? "You called it" : `You called it, ${streak}`),
  right: (cents: number, streak: string) =>
    `You were right: ${formatMoney(cents)} back, nobody took the other side${streak === "" ? "" : `, ${streak}`}`,
  lost: (netCents: number) => `It went the other way: ${formatChange(netCents)}`,
  /** @param cause why: "Nobody called it"; null: the receipt says it. */
  refunded: (cents: number, cause: string | null) => {
    const back = `${formatMoney(cents)} back`;
    return cause === null ? back : `${back}: ${cause.slice(0, 1).toLowerCase()}${cause.slice(1)}`;
  },
  void: (cents: number, reason: string | null) =>
    reason === null
      ? `Called off: ${formatMoney(cents)} is back`
      : say`Called off, ${formatMoney(cents)} is back: ${reason}`,
  corrected: ({ label, changeCents, netCents }: { label: string; changeCents: number; netCents: number }) =>
    say`Corrected to ${label}: ${changeText(changeCents)}, net ${formatChange(netCents)}`,
  away: ({ count, netCents }: { count: number; netCents: number }) =>
    `While you were away: ${countOf(count, "result")}, net ${formatChange(netCents)}`,
  neutral: ({ label, right, called }: { label: string; right: number; called: number }) =>
    say`${label}: ${called === 0 ? "nobody" : `${formatCount(right)} of ${formatCount(called)}`} called it`,
  /** In one line: what matters comes first, because the end is cut off. */
  line: (lead: string, about: string) => (about === "" ? lead : `${lead} · ${about}`),
  announced: (lead: string, about: string) => `${/[.?!]$/.test(lead) ? lead : `${lead}.`} ${about}`.trim(),
};

function changeText(changeCents: number): string {
  if (changeCents === 0) return "nothing changes for you";
  return changeCents < 0 ? `${formatMoney(-changeCents)} taken back` : `${formatMoney(changeCents)} more`;
}
