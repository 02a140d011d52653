import type { Transaction } from "#db/client.ts";
import type { AppliedChargeback, AppliedPayment } from "#db/ledger/apply-payment.ts";
import { formatMoney } from "#src/http/contract.ts";
import { writeNotifications } from "#src/people/notifications/write-notifications.ts";
import { findPayment, type NamedPayment } from "./find-payment-views.ts";

export type Applied = {
  applied: AppliedPayment | AppliedChargeback;
  cause: "payment" | "refund" | "dispute";
  amountCents: number;
};

/** Notifies a player that a payment moved money, in the same transaction. Writes nothing where no money moved. */
export async function notifyPlayer(tx: Transaction, payment: NamedPayment, change: Applied): Promise<void> {
  const text = textFor(change);
  if (text === null) return;
  const row = await findPayment(tx, payment);
  if (row === null) throw new Error("the payment of a booked change was not found");
  const url = `/profile/wallet?payment=${row.reference}`;
  await writeNotifications(tx, [{ userId: row.userId, kind: "payment", ...text, url }]);
}

function textFor({ applied, cause, amountCents }: Applied): { title: string; body: string } | null {
  const amount = formatMoney(amountCents);
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
