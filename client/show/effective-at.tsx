import type { EventView } from "#src/events/schemas.ts";
import { useTimeZone } from "../ui/time.tsx";
import { effectiveChoices } from "./verdict-fields.ts";

/** From when on calls do not count, because the answer could be known: they are refunded. */
export function EffectiveAt({ event }: { event: EventView }) {
  const zone = useTimeZone();
  const closed = event.closedAt !== null;
  return (
    <fieldset className="field effective">
      <legend className="label">Effective at</legend>
      <div className="seg">
        {effectiveChoices.map(({ value, label }) => (
          <label key={value}>
            <input type="radio" name="effective" value={value} defaultChecked={value === ""} />
            {value === "" && closed ? "Close time" : label}
          </label>
        ))}
      </div>
      <input type="hidden" name="closed_at" value={event.closedAt ?? ""} />
      <input type="hidden" name="time_zone" value={zone} />
      <input
        className="input sm exact"
        type="datetime-local"
        name="effective_at"
        step={1}
        aria-label={`Exact moment, in ${zone}`}
      />
      <span className="hint">
        Calls placed from then on are refunded{closed ? "; counted back from the close." : "."}
      </span>
    </fieldset>
  );
}
