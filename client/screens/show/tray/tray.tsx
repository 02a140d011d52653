import { Link } from "react-router";
import { countOf } from "#client/base/format/count.ts";
import { minutes } from "#client/base/format/countdown.ts";
import { useServerTime } from "#client/base/live/clock.ts";
import { callsInPool } from "#client/running-order/show-texts.ts";
import { Icon } from "#client/ui/icon.tsx";
import { type EventResult, results } from "#db/lists/events.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { ArmButton } from "../arming/arm-button.tsx";
import { resultText } from "../arming/armed-text.ts";
import { useScripted } from "../arming/use-scripted.ts";
import { OthersArming } from "../hosting/others-arming.tsx";
import { resultIcons } from "../result-entry/verdict.tsx";
import { useShow } from "../show-context.ts";
import { KeyCap } from "../stage/key-cap.tsx";
import { listWaiting, numberOf } from "../stage/on-stage.ts";
import { stageLink } from "../stage/use-stage.ts";

const waitingText = (count: number) => `Waits for your result (${count})`;

const letters = { true: "T", false: "F", void: "V" } as const;

/** The events that wait for a result beside the one on the stage, the oldest first. A result can be armed in each row. */
export function Tray() {
  const { session, events, onStage } = useShow();
  const waiting = listWaiting(events, session).filter(({ id }) => id !== onStage?.id);
  if (waiting.length === 0) return null;
  return (
    <section className="panel tray" aria-label={waitingText(waiting.length)}>
      <header className="row">
        <h3 className="small">{waitingText(waiting.length)}</h3>
        <span className="tiny muted push keys-only">Its number chooses one for T, F and V.</span>
      </header>
      <ol>
        {waiting.map((event) => (
          <Row key={event.id} event={event} />
        ))}
      </ol>
    </section>
  );
}

function Row({ event }: { event: EventView }) {
  const { arming } = useShow();
  const chosen = arming.target?.id === event.id;
  return (
    <li className={chosen ? "chosen" : ""}>
      <Choose event={event} chosen={chosen} />
      <span className="answers">
        {results.map((result) => (
          <RowAnswer key={result} event={event} result={result} />
        ))}
      </span>
      <OthersArming about={[event]} />
    </li>
  );
}

/** The question. Its number is its key: it chooses the row for T, F and V; without JavaScript it puts the event on the stage. */
function Choose({ event, chosen }: { event: EventView; chosen: boolean }) {
  const { events, arming, renderedAt } = useShow();
  const scripted = useScripted();
  const number = String(numberOf(events, event));
  const since = useServerTime((nowMs) => minutes(nowMs - Date.parse(event.closedAt ?? "")), renderedAt);
  const { callsCount, pool } = event;
  const content = (
    <>
      <KeyCap name={number} />
      <span className="title">
        <span className="clip">
          <span className="num ink2">{`${number}.`}</span> <span>{event.title}</span>
        </span>
        <span className="tiny ink2 num">
          <span>{callsCount === 0 ? countOf(0, "call") : callsInPool(callsCount, pool.totalCents)}</span>,{" "}
          <span>{`closed ${since} ago`}</span>
        </span>
      </span>
    </>
  );
  if (!scripted) {
    return (
      <Link className="choose" {...stageLink(event.id)}>
        {content}
      </Link>
    );
  }
  return (
    <button
      className="choose"
      type="button"
      data-key={number}
      aria-keyshortcuts={number.length === 1 ? number : undefined}
      aria-pressed={chosen}
      onClick={() => arming.select(event)}
    >
      <span className="vh">Choose</span>
      {content}
    </button>
  );
}

function RowAnswer({ event, result }: { event: EventView; result: EventResult }) {
  const { events } = useShow();
  const name = `${resultText(event, result)}: ${numberOf(events, event)}. ${event.title}`;
  return (
    <ArmButton event={event} act={result} className="btn sm answer" name={name}>
      <Icon name={resultIcons[result]} size="s" className={`shape-${result}`} />{" "}
      <span>{letters[result]}</span>
    </ArmButton>
  );
}
