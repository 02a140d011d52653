import { formatMoney } from "../base/format/money.ts";

/** The texts of the payments, the checkout and the refunds. */

// Checkout screen
export const pay = (amountCents: number) => `Pay ${formatMoney(amountCents)}`;
export const testCheckoutNote = "This is a test checkout. Nobody is charged.";
export const decline = "Decline";
export const backToTheWallet = "Back to the wallet";

// Pay in
export const addMoney = "Add money";
export const yourPayments = "Your payments";
export const goToTheCheckout = "Go to the checkout";
export const amountInDollars = "Amount in dollars";
export const amountHint = (paymentMin: number, paymentMax: number) =>
  `From $${paymentMin} to $${paymentMax}. You pay on the next page.`;

// Payment list
export const failedAt = "{at}, nothing was charged";
export const waiting = "Waiting";
export const didNotWork = "Did not work";
export const paidIn = "Paid in";
export const disputed = "Disputed";
export const refunded = "Refunded";
export const partlyRefunded = "Partly refunded";
export const refundAsked = (amount: string) => `Refund of ${amount} is on its way`;
export const refundTaken = (amount: string) => `${amount} refunded`;
export const refundRefused = (amount: string) => `Refund of ${amount} was not possible`;
export const refundReturned = (amount: string) =>
  `Refund of ${amount} did not work, and is back in the wallet`;
export const disputeOpened = (amount: string) => `${amount} disputed with the bank`;
export const disputeTaken = (amount: string) => `${amount} disputed with the bank, and taken back`;
export const disputeReturned = (amount: string) =>
  `Dispute of ${amount} is over, and it is back in the wallet`;

// Payment note
export const paymentPending = (amount: string) =>
  `We wait for word of your payment of ${amount}. The wallet shows it as soon as it is here.`;
export const paymentSucceeded = (amount: string) => `${amount} is in your wallet.`;
export const paymentFailed = (amount: string) =>
  `Your payment of ${amount} did not work, and nothing was charged. You can try again.`;
export const paymentTakenBack = (amount: string) => `Your payment of ${amount} was taken back.`;
export const partTakenBack = (refundedCents: number, amountCents: number) =>
  `${formatMoney(refundedCents)} of your payment of ${formatMoney(amountCents)} was taken back.`;
export const seeYourPayments = "See your payments";

// Payments screen
export const payments = "Payments";
export const payNow = "Pay now";
export const tryAgain = "Try again";
export const noPaymentsYet = "Nothing paid in yet";
export const noPaymentsHint =
  "What you pay into your wallet appears here, with everything that was refunded.";

// Refund form
export const refundSuffix = (amount: string) => `the payment of ${amount}`;
export const refundConfirm = (amount: string) => `Refund the payment of ${amount}?`;
export const refund = "Refund";
export const refundHint =
  "It is paid back to where it came from, and taken from the wallet. What the wallet cannot cover is owed.";
export const refundMax = (leftCents: number) => `At most ${formatMoney(leftCents)}.`;
export const reason = "Reason";
export const reasonHint = "The player reads it.";
