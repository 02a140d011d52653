import { useState } from "react";
import { formatClock } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import { Meaning } from "#client/ui/moment-field.tsx";
import type { EventView } from "#src/show/events/schemas.ts";
import * as texts from "../texts/form-texts.ts";
import { effectiveChoices } from "./verdict-fields.ts";

/** Chooses from when on calls are refunded, because the answer could already be known. A decided moment is kept. */
export function EffectiveAt({ event: { closedAt, plan } }: { event: EventView }) {
  const zone = useTimeZone();
  const [exact, setExact] = useState("");
  const decidedAt = plan?.decided?.effectiveAt ?? null;
  return (
    <fieldset className="field effective">
      <legend className="label">{texts.effectiveAt}</legend>
      <div className="seg">
        {effectiveChoices({ closedAt, decidedAt }).map(({ value, label }) => (
          <label key={value}>
            <input type="radio" name="effective" value={value} defaultChecked={value === ""} />
            <span>{label}</span>
          </label>
        ))}
      </div>
      <input type="hidden" name="closed_at" value={closedAt ?? ""} />
      <input type="hidden" name="time_zone" value={zone} />
      <input
        className="input sm exact"
        type="datetime-local"
        name="effective_at"
        step={1}
        aria-label={texts.exactMoment(zone)}
        onChange={({ currentTarget }) => setExact(currentTarget.value)}
      />
      <span className="hint">
        <span>{closedAt === null ? texts.effectiveHint : texts.effectiveBeforeCloseHint}</span>
        <Meaning typed={exact} zone={zone} />
        {decidedAt === null ? null : <span>{` ${texts.asBeforeHint(formatClock(decidedAt, zone))}`}</span>}
      </span>
    </fieldset>
  );
}
