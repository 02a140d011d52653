import type { EventView } from "#src/events/schemas.ts";
import type { EventResult } from "#src/settlements/contract.ts";
import { Confirm } from "../ui/confirm.tsx";
import { Icon } from "../ui/icon.tsx";
import { AboutEvent, ActForm } from "./act-form.tsx";
import { EffectiveAt } from "./effective-at.tsx";
import { Impact } from "./impact.tsx";
import { KeyCap } from "./key-cap.tsx";
import { Reason } from "./reason.tsx";
import { useShow } from "./show-context.ts";
import { whyNotMove } from "./why-not.ts";

const icons = { true: "true", false: "false", void: "none" } as const;
const keys = { true: "T", false: "F", void: "V" } as const;

/** How it ended. Each answer says first what it will move. */
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
  const word = wordOf(event, result);
  const correcting = event.state === "resolved";
  return (
    <Confirm
      label={
        <>
          <Icon name={icons[result]} />
          <span className="clip">{word}</span>
          <KeyCap name={keys[result]} />
        </>
      }
      className={`verdict ${result}`}
      hotkey={keys[result]}
      why={whyNotMove(session, event, "resolve")}
      title={correcting ? `Correct it to ${word}?` : `Resolve it as ${word}?`}
      form={ActForm}
      act={{ label: result === "void" ? "Void and refund" : `Pay out ${word}`, intent: "resolve" }}
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
export function wordOf(event: EventView, result: EventResult): string {
  if (result === "void") return "Void";
  return result === "true" ? event.trueLabel : event.falseLabel;
}
