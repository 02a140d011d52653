import type { ReactNode } from "react";
import { Form, useLocation, useSearchParams } from "react-router";
import { formatShortMoney } from "#client/base/format/money.ts";
import { TOP_UP_TO_CENTS } from "#db/lists/limits.ts";
import { topUpRefusals } from "#src/money/wallet/contract.ts";
import { CsrfField } from "../ui/csrf-field.tsx";

/** The query parameter that carries the outcome back to the page with the form. */
export const TOP_UP_PARAM = "top_up";
/** Its values: "done", or the code of a refusal. */
const topUpOutcomes = ["done", ...topUpRefusals] as const;
export type TopUpOutcome = (typeof topUpOutcomes)[number];

export const topUpLabel = `Top up to ${formatShortMoney(TOP_UP_TO_CENTS)}`;

/** The form around the button. It returns to this page. */
export function TopUpForm({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  return (
    <Form method="post" action="/profile/wallet/top_up" preventScrollReset>
      <CsrfField />
      <input type="hidden" name="return_to" value={pathname} />
      {children}
    </Form>
  );
}

/** The outcome of a top-up, from the address; null where there was none. */
export function useTopUpOutcome() {
  const [search] = useSearchParams();
  const value = search.get(TOP_UP_PARAM);
  return topUpOutcomes.find((outcome) => outcome === value) ?? null;
}
