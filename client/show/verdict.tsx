import type { EventResult } from "#db/lists/events.ts";
import type { EventView } from "#src/events/schemas.ts";
import { Confirm } from "../ui/confirm.tsx";
import { Icon } from "../ui/icon.tsx";
import { useTimeZone } from "../ui/time.tsx";
import { AboutEvent, ActForm } from "./act-form.tsx";
import { Impact } from "./impact.tsx";
import { KeyCap } from "./key-cap.tsx";
import { Reason } from "./reason.tsx";
import { useShow } from "./show-context.ts";
import { effectiveChoices } from "./verdict-fields.ts";
import { whyNotMove } from "./why-not.ts";

const icons = { true: "true", false: "false", void: "none" } as const;
const keys = { true: "T", false: "F", void: "V" } as const;

/** Buttons that resolve the event. Each opens a dialog that shows what the result will pay. */
export function Verdict({ event }: { event: EventView }) {
  return (
    <section className="panel pad stack" aria-label="Resolve">
      <h3 className="small">{event.state === "resolved" ? "Correct the result" : "Resolve"}</h3>
      <div className="trio">
        <Answer event={event} result="true" />
        <Answer event={event} result="false" />
        <Answer event={event} result="void" />
      </div>
    </section>
  );
}

function Answer({ event, result }: { event: EventView; result: EventResult }) {
  const { session } = useShow();
  const text = resultText(event, result);
  const correcting = event.state === "resolved";
  return (
    <Confirm
      label={
        <>
          <Icon name={icons[result]} />
          <span className="clip">{text}</span>
          <KeyCap name={keys[result]} />
        </>
      }
      className={`verdict ${result}`}
      hotkey={keys[result]}
      why={whyNotMove(session, event, "resolve")}
      title={correcting ? `Correct it to ${text}?` : `Resolve it as ${text}?`}
      form={ActForm}
      act={{ label: result === "void" ? "Void and refund" : `Pay out ${text}`, intent: "resolve" }}
    >
      <AboutEvent event={event} />
      <input type="hidden" name="result" value={result} />
      <p className="strong">{event.title}</p>
      <Impact event={event} result={result} />
      {result === "void" ? null : <EffectiveAt event={event} />}
      {correcting ? (
        <Reason id={`${result}-reason-${event.id}`} required />
      ) : (
        <Reason id={`${result}-reason-${event.id}`} />
      )}
    </Confirm>
  );
}

/** The side's own label, or "Void". */
export function resultText(event: EventView, result: EventResult): string {
  if (result === "void") return "Void";
  return result === "true" ? event.trueLabel : event.falseLabel;
}

/** Chooses from when on calls are refunded, because the answer could already be known. */
function EffectiveAt({ event }: { event: EventView }) {
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
