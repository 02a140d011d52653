import { formatMoney } from "../base/format/money.ts";

/** What is only said to screen readers. */

export const timeLeft = (secondsLeft: number) => `${secondsLeft} seconds left.`;
export const sessionOver = "The session is over.";
export const questionWithLabels = (title: string, trueLabel: string, falseLabel: string) =>
  `${title} ${trueLabel} or ${falseLabel}.`;
export const nextQuestion = (question: string) => `Next: ${question}`;
export const openQuestion = (question: string) => `Open: ${question}`;
export const callsClosed = "Calls closed.";
/** @param own what it means for the player's calls: "You called it."; null without one. */
export const resultPaysSoon = (resultLabel: string, own: string | null) =>
  `${own === null ? "" : `${own} `}Result: ${resultLabel}. It pays in a moment.`;
export const pausedSpoken = "Paused by the host. Your calls are safe.";
export const youHaveBack = (cents: number) => `${formatMoney(cents)} is back.`;
export const youCameOutEven = "You come out even.";
export const youWon = (netCents: number) => `You won ${formatMoney(netCents)}.`;
export const youLost = (lostCents: number) => `You lost ${formatMoney(lostCents)}.`;
