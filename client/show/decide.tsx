import type { ReactNode } from "react";
import type { EventResult } from "#db/lists/events.ts";
import type { EventView } from "#src/events/schemas.ts";
import { useServerTime } from "../clock.ts";
import { useViewer } from "../context.ts";
import { kept } from "../kept.ts";
import { Confirm } from "../ui/confirm.tsx";
import { formatClock } from "../ui/time-format.ts";
import { useTimeZone } from "../ui/time-zone.ts";
import { AboutEvent, ActForm } from "./act-form.tsx";
import { Impact } from "./impact.tsx";
import { Reason } from "./reason.tsx";
import { useShow } from "./show-context.ts";
import { isFreeToCorrect } from "./undoable.ts";
import { effectiveChoices, type EffectiveProps } from "./verdict-fields.ts";
import { whyNotMove } from "./why-not.ts";

/** An armed result disarms by itself after so long without a key, a click or a move of the pointer. */
const DISARM_AFTER_MS = 8_000;

type DecideProps = {
  event: EventView;
  result: EventResult;
  className: string;
  hotkey?: string | undefined;
  /** Called when the dialog opens and closes. */
  onToggle?: (open: boolean) => void;
  /** The button's label. */
  children: ReactNode;
};

/** A button that gives an event a result, or another one. It opens a dialog that first shows what the result pays. */
export function Decide({ event, result, className, hotkey, onToggle, children }: DecideProps) {
  const { session } = useShow();
  const text = resultText(event, result);
  return (
    <Confirm
      label={children}
      className={className}
      hotkey={hotkey}
      why={whyNotMove(session, event, "resolve")}
      title={event.state === "resolved" ? `Correct it to ${text}?` : `Resolve it as ${text}?`}
      form={ActForm}
      act={{ label: result === "void" ? "Void and refund" : `Pay out ${text}`, intent: "resolve" }}
      disarmAfterMs={DISARM_AFTER_MS}
      onToggle={onToggle}
    >
      <AboutEvent event={event} />
      <input type="hidden" name="result" value={result} />
      <p className="strong">{event.title}</p>
      <Impact event={event} result={result} />
      {result === "void" ? null : <EffectiveAt event={event} />}
      <WhyItChanges event={event} result={result} />
    </Confirm>
  );
}

/** The side's own label, or "Void". */
export function resultText(event: EventView, result: EventResult): string {
  if (result === "void") return "Void";
  return result === "true" ? event.trueLabel : event.falseLabel;
}

/** The reason: required for a correction, unless the viewer has just decided. */
function WhyItChanges({ event, result }: { event: EventView; result: EventResult }) {
  const { renderedAt } = useShow();
  const viewerId = useViewer()?.id;
  const free = useServerTime((nowMs) => isFreeToCorrect(event, { viewerId, nowMs }), renderedAt);
  const id = `${result}-reason-${event.id}`;
  return event.state === "resolved" && !free ? <Reason id={id} required /> : <Reason id={id} />;
}

/** Chooses from when on calls are refunded, because the answer could already be known. A decided moment is kept. */
function EffectiveAt({ event: { closedAt, plan } }: { event: EventView }) {
  const zone = useTimeZone();
  return <EffectiveFields {...{ closedAt, zone }} decidedAt={plan?.decided?.effectiveAt ?? null} />;
}

const EffectiveFields = kept(function EffectiveFields({ zone, ...props }: EffectiveProps & { zone: string }) {
  const { closedAt, decidedAt } = props;
  return (
    <fieldset className="field effective">
      <legend className="label">Effective at</legend>
      <div className="seg">
        {effectiveChoices(props).map(({ value, label }) => (
          <label key={value}>
            <input type="radio" name="effective" value={value} defaultChecked={value === ""} />
            {label}
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
        aria-label={`Exact moment, in ${zone}`}
      />
      <span className="hint">
        Calls placed from then on are refunded{closedAt === null ? "." : "; counted back from the close."}
        {decidedAt === null ? "" : ` As before: from ${formatClock(decidedAt, zone)} on.`}
      </span>
    </fieldset>
  );
});
