import { formatCount } from "#client/base/format/count.ts";
import { minutes } from "#client/base/format/countdown.ts";
import { formatChange } from "#client/base/format/money.ts";
import * as words from "#client/base/format/words.ts";
import { useServerTime } from "#client/base/live/clock.ts";
import { labelOf, resultLabel, resultOf } from "#client/events/result-label.ts";
import { useView } from "#client/events/view.ts";
import { Icon, type IconName } from "#client/ui/icon.tsx";
import type { EventResult } from "#db/lists/events.ts";
import { say } from "#src/http/contract.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import type { StageOutcome } from "#src/show/stage/schemas.ts";
import { widthOf } from "./text-width.ts";

const LONG_LABEL = 6;
/** So much of a reason is read from the last row, and so much of an explanation together with one, in letters' heights. */
const REASON_WIDTH = 68;
const EXPLAINED_WIDTH = 130;

/** `was`: the result that this one corrects. */
type StageResultProps = { event: EventView; outcome: StageOutcome | null; was: EventResult | null };

/**
 * The result, in the colour and the shape of its side, large enough to be seen from the last row: when it is paid, and then how many were
 * right, and who has won most. A correction says so, and what it was.
 */
export function StageResult({ event, outcome, was }: StageResultProps) {
  const result = resultOf(event);
  const isVoid = result === "void";
  const label = resultLabel(event);
  const why = [
    isVoid ? "Everybody gets the wager back." : "",
    shorten(event.resultReason ?? "", REASON_WIDTH),
  ]
    .join(" ")
    .trim();
  const explanation = shorten(event.explanation ?? "", EXPLAINED_WIDTH - widthOf(why));
  return (
    <section className={`stage-result ${result}`} data-explained={explanation === "" ? undefined : ""}>
      <Icon name={icons[result]} />
      <div>
        <p>{headOf(event, was)}</p>
        <strong data-len={widthOf(label) > LONG_LABEL ? "long" : undefined}>{label}</strong>
        {why === "" ? null : <p className="why">{why}</p>}
        {explanation === "" ? null : <p className="why">{explanation}</p>}
      </div>
      <Below event={event} outcome={outcome?.eventId === event.id ? outcome : null} />
    </section>
  );
}

/** What was is said where it is another one: a correction may also be about late calls. */
function headOf(event: EventView, was: EventResult | null): string {
  if (was === null) return words.result;
  return was === resultOf(event) ? "Corrected" : say`Corrected. It was ${labelOf(event, was)}.`;
}

const icons: Record<EventResult, IconName> = { true: "true", false: "false", void: "none" };

/** All of it is on the phones. */
function shorten(text: string, widthMax: number): string {
  let width = 0;
  const letters = Array.from(text.replaceAll(/\s+/g, " "));
  const cut = letters.findIndex((letter) => (width += widthOf(letter)) > widthMax);
  if (cut === -1) return letters.join("");
  return `${letters
    .slice(0, cut)
    .join("")
    .replace(/\s+\S*$/, "")} ...`;
}

/** Until the result is paid, when that is; then how it went. */
function Below({ event, outcome }: Omit<StageResultProps, "was">) {
  if (event.pendingResult !== null) return <PaysIn paysAt={event.paysAt} />;
  return event.voided ? null : <HowMany outcome={outcome} />;
}

function PaysIn({ paysAt }: Pick<EventView, "paysAt">) {
  const { state, data } = useView();
  const paysAtMs = state.session.state === "paused" ? Number.NaN : Date.parse(paysAt ?? "");
  const when = useServerTime(
    (nowMs) =>
      Number.isNaN(paysAtMs)
        ? "Pays after the pause. Until then the host may change it."
        : `Pays in ${minutes(paysAtMs - nowMs)}. Until then the host may change it.`,
    data.serverTime,
  );
  return (
    <div className="how-it-went">
      <p className="num" translate="no">
        {when}
      </p>
    </div>
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
            <span className="win">{`Biggest win: ${formatChange(win.netCents)}`}</span>{" "}
            <bdi>{win.username}</bdi>
          </>
        )}
      </p>
    </div>
  );
}

function rightText({ rightCount, playersCount }: StageOutcome): string {
  if (playersCount === 0) return "Nobody made a call.";
  const right = rightCount === 0 ? "Nobody" : formatCount(rightCount);
  return `${right} of ${formatCount(playersCount)} called it.`;
}
