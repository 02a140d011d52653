import { topUpRefusals } from "#src/money/wallet/contract.ts";

/** The query parameter that carries the outcome back to the page with the form. */
export const TOP_UP_PARAM = "top_up";
/** Its values: "done", or the code of a refusal. */
export const topUpOutcomes = ["done", ...topUpRefusals] as const;
export type TopUpOutcome = (typeof topUpOutcomes)[number];
