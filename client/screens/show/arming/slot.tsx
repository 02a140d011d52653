import type { Pace } from "#src/operate/health/schemas.ts";
import { LateAlarm } from "../health/late-alarm.tsx";
import { useShow } from "../show-context.ts";
import { KeyCap } from "../stage/key-cap.tsx";
import { numberOf } from "../stage/on-stage.ts";
import * as texts from "../texts/arming-texts.ts";
import { correctResult, numbered, resolve } from "../texts/form-texts.ts";
import { LatestDecisions } from "../verdict/latest-decisions.tsx";
import { UndoBar } from "../verdict/undo-bar.tsx";
import { Verdict } from "../verdict/verdict.tsx";
import { ArmedForm, SLOT_NEWS_ID } from "./armed-form.tsx";

/** Id of the text that says which event T, F and V act on. */
const TARGET_ID = "verdict-target";

/**
 * The one place where results are given: for the event on the stage, or for the row of the tray that was chosen. What is armed
 * and what can be undone appear here, and cover nothing.
 */
export function Slot({ pace }: { pace: Pace | null }) {
  const { events, arming, onStage } = useShow();
  const { armed, selected, target } = arming;
  if (target === null) return null;
  const number = numberOf(events, target);
  return (
    <section className="panel pad stack slot" aria-label={resolve}>
      <div className="row">
        <h3 className="small">{target.state === "resolved" ? correctResult : resolve}</h3>
        <span className="small strong clip" id={TARGET_ID}>
          {numbered(number, target.title)}
        </span>
        {selected === null || armed !== null || onStage === null ? null : (
          <button
            className="btn sm push"
            type="button"
            data-key="Escape"
            aria-keyshortcuts="Escape"
            onClick={() => arming.select(null)}
          >
            <span>{texts.backToStage(numberOf(events, onStage))}</span> <KeyCap name={texts.escape} />
          </button>
        )}
      </div>
      <Verdict event={target} describedBy={TARGET_ID} />
      <LateAlarm pace={pace} />
      {armed === null ? null : <ArmedForm key={`${armed.event.id} ${armed.act}`} armed={armed} />}
      <SlotNews />
      <UndoBar />
      <LatestDecisions />
    </section>
  );
}

/**
 * Announces what the keys act on, and that something was disarmed. It gets the focus when a form goes away in which the host is
 * typing: what is typed next is no key of the room.
 */
function SlotNews() {
  const { events, arming } = useShow();
  const { armed, selected, news } = arming;
  const isOvertaken = news !== null && news.why !== "disarmed";
  const ended = news === null ? "" : texts.ended[news.why](numberOf(events, { id: news.eventId }));
  const chosen = selected === null ? "" : texts.keysActOn(numberOf(events, selected), selected.title);
  return (
    <p className={isOvertaken ? "small ink2" : "vh"} id={SLOT_NEWS_ID} tabIndex={-1} role="status">
      {armed === null ? ended || chosen : ""}
    </p>
  );
}
