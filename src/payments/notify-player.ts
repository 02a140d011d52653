import type { Transaction } from "#db/client.ts";
import type { AppliedChargeback } from "#db/ledger/apply-chargeback.ts";
import type { AppliedPayment } from "#db/ledger/apply-payment.ts";
import { currencyOf } from "#src/http/money.ts";
import { writeNotifications } from "#src/notifications/write-notifications.ts";
import { findPayment, type NamedPayment } from "./find-payment.ts";

/** What was done to a payment, and how much it moved. */
export type Applied = {
  applied: AppliedPayment | AppliedChargeback;
  cause: "payment" | "refund" | "dispute";
  amountCents: number;
};

type Words = { title: string; body: string };

/** Tells a player that money came or went, in the transaction that moves it. Where nothing moved, nothing is told. */
export async function notifyPlayer(tx: Transaction, named: NamedPayment, done: Applied): Promise<void> {
  const words = wordsFor(done);
  if (words === null) return;
  const payment = await findPayment(tx, named);
  if (payment === null) throw new Error("a payment that was booked is there");
  const url = `/profile/wallet?payment=${payment.reference}`;
  await writeNotifications(tx, [{ userId: payment.userId, kind: "payment", ...words, url }]);
}

function wordsFor({ applied, cause, amountCents }: Applied): Words | null {
  const amount = currencyOf(amountCents);
  if (applied === "deposited") return { title: `Paid in: ${amount}`, body: "It is in your wallet." };
  if (applied === "charged_back") {
    return cause === "dispute"
      ? {
          title: `Disputed: ${amount}`,
          body: "Your bank has asked for it back. It was taken from your wallet.",
        }
      : { title: `Refunded: ${amount}`, body: "It was taken from your wallet and is on its way to you." };
  }
  if (applied !== "reinstated") return null;
  const why = cause === "dispute" ? "The dispute is over" : "The refund did not work";
  return { title: `Back in your wallet: ${amount}`, body: `${why}, and the money is in your wallet again.` };
}
