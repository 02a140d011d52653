import { data } from "react-router";
import { type BreakPeriod, breakPeriods } from "#db/lists/spending.ts";
import { periodLabel } from "#src/money/spending/contract.ts";
import { Choice } from "../ui/choice.tsx";

const options = breakPeriods.map((period) => ({ value: period, label: periodLabel(period) }));

export function BreakChoice({ value = "day" }: { value?: BreakPeriod | undefined }) {
  return <Choice label="How long" name="period" options={options} value={value} />;
}

/** What was chosen. @throws 400 for nothing that can be chosen. */
export function periodIn(chosen: string): BreakPeriod {
  const period = breakPeriods.find((known) => known === chosen);
  if (period === undefined) throw data(null, { status: 400 });
  return period;
}
