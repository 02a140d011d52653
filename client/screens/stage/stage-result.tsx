import { resultLabel } from "#client/events/result-label.ts";
import { Icon, type IconName } from "#client/ui/icon.tsx";
import type { EventView } from "#src/show/events/schemas.ts";
import * as texts from "./stage-texts.ts";

const LONG_LABEL = 10;

/** The result, in the colour and the shape of its side, large enough to be seen from the last row. */
export function StageResult({ event }: { event: EventView }) {
  const { kind, icon } = shownAs(event);
  const label = resultLabel(event);
  const why = [event.voided ? texts.refunded : "", event.resultReason ?? ""].join(" ").trim();
  return (
    <section className={`stage-result ${kind}`}>
      <Icon name={icon} />
      <p>
        <span>{event.voided ? texts.calledOff : texts.result}</span>
        <strong data-len={label.length > LONG_LABEL ? "long" : undefined}>{label}</strong>
        {why === "" ? null : <span>{why}</span>}
      </p>
    </section>
  );
}

function shownAs({ voided, result }: EventView): { kind: string; icon: IconName } {
  if (voided) return { kind: "void", icon: "none" };
  return result === true ? { kind: "true", icon: "true" } : { kind: "false", icon: "false" };
}
