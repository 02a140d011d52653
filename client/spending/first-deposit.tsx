import { limitDays } from "#db/lists/spending.ts";
import { daysLabel } from "#src/money/spending/contract.ts";
import type { SpendingView } from "#src/money/spending/schemas.ts";
import type { Api } from "../base/api/api.ts";
import { Checkbox } from "../ui/checkbox.tsx";
import { Choice } from "../ui/choice.tsx";
import type { FieldErrors } from "../ui/field.tsx";
import { FormRefusal } from "../ui/forms/refused.ts";

const offered = [
  [20, 7],
  [50, 7],
  [100, 7],
  [50, 30],
  [100, 30],
] as const;
const NONE = "none";

const options = [
  // Nothing is chosen before: a limit that is suggested is nobody's own.
  { value: "", label: "Choose one" },
  ...offered.map(([dollars, days]) => ({
    value: `${dollars}-${days}`,
    label: `$${dollars} within ${daysLabel(days)}`,
  })),
  { value: NONE, label: "No limit of my own" },
];

type FirstDepositProps = { spending: SpendingView; limit: string; ofAge: boolean; errors: FieldErrors };

/** What the first deposit asks, once: a limit of the player's own, and the age. */
export function FirstDeposit({
  spending: { limits, ageToConfirm },
  limit,
  ofAge,
  errors,
}: FirstDepositProps) {
  return (
    <>
      {limits.length > 0 ? null : (
        <Choice
          label="Your own limit for deposits"
          name="limit"
          options={options}
          value={limit}
          hint="It holds at once. A lower one does too; a higher one takes 24 hours and a second yes."
          errors={errors["limit"]}
        />
      )}
      {ageToConfirm === null ? null : (
        <Checkbox
          name="of_age"
          required
          defaultChecked={ofAge}
          aria-invalid={errors["ofAge"] === undefined ? undefined : true}
        >
          <span>{`I am ${ageToConfirm} or older`}</span>
        </Checkbox>
      )}
    </>
  );
}

/** Sets the limit that the form's first deposit has asked for. @throws FormRefusal where it was asked for and not chosen. */
export async function setFirstLimit(api: Api, limit: string | null): Promise<void> {
  if (limit === null) return;
  const [dollars = 0, days = 0] = limit.split("-").map(Number);
  const period = limitDays.find((known) => known === (limit === NONE ? 7 : days));
  if (period === undefined)
    throw new FormRefusal("Choose a limit of your own, or none.", { limit: ["must be chosen"] });
  await api.put(`/api/v1/spending/limits/${period}`, { limit: { amount: limit === NONE ? null : dollars } });
}
