import { formatMoney, say } from "#src/http/contract.ts";

/**
 * The title of a refund's notification: "$5.00 back: the host skipped it".
 * @param cause in the words of the middle of a sentence.
 */
export function refundTitle(amountCents: number, cause: string): string {
  return `${formatMoney(amountCents)} back: ${cause}`;
}

/** The question, and the host's reason: "Will it rain? The stadium is closed", "Rain. The stadium is closed". */
export function aboutEvent(title: string, reason: string | null): string {
  if (reason === null) return title;
  return /[.?!]$/.test(title) ? say`${title} ${reason}` : say`${title}. ${reason}`;
}
