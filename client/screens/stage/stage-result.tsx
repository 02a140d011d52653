import { resultLabel } from "#client/events/result-label.ts";
import { Icon, type IconName } from "#client/ui/icon.tsx";
import type { EventView } from "#src/show/events/schemas.ts";
import type { StageOutcome } from "#src/show/stage/schemas.ts";
import * as texts from "./stage-texts.ts";
import { widthOf } from "./text-width.ts";

const LONG_LABEL = 6;

type StageResultProps = { event: EventView; outcome: StageOutcome | null };

/**
 * The result, in the colour and the shape of its side, large enough to be seen from the last row; how many were right, and who has
 * won most.
 */
export function StageResult({ event, outcome }: StageResultProps) {
  const { kind, icon } = shownAs(event);
  const label = resultLabel(event);
  const why = [event.voided ? texts.refunded : "", event.resultReason ?? ""].join(" ").trim();
  return (
    <section className={`stage-result ${kind}`}>
      <Icon name={icon} />
      <div>
        <p>{event.voided ? texts.calledOff : texts.result}</p>
        <strong data-len={widthOf(label) > LONG_LABEL ? "long" : undefined} dir="auto">
          {label}
        </strong>
        {why === "" ? null : (
          <p className="why" dir="auto">
            {why}
          </p>
        )}
      </div>
      {event.voided ? null : <HowMany outcome={outcome?.eventId === event.id ? outcome : null} />}
    </section>
  );
}

/** It comes a moment after the result, in a place that is kept for it. */
function HowMany({ outcome }: { outcome: StageOutcome | null }) {
  const win = outcome?.biggestWin ?? null;
  return (
    <div className="how-it-went" translate="no">
      <p className="num">{outcome === null ? "" : rightText(outcome)}</p>
      <p className="num">
        {win === null ? null : (
          <>
            <span>{texts.biggestWinOf(win.netCents)}</span> <bdi>{win.username}</bdi>
          </>
        )}
      </p>
    </div>
  );
}

function rightText({ rightCount, playersCount }: StageOutcome): string {
  return playersCount === 0 ? texts.nobodyCalled : texts.calledRight(rightCount, playersCount);
}

function shownAs({ voided, result }: EventView): { kind: string; icon: IconName } {
  if (voided) return { kind: "void", icon: "none" };
  return result === true ? { kind: "true", icon: "true" } : { kind: "false", icon: "false" };
}
