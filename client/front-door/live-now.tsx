import type { FrontDoor, FrontEvent } from "#src/show/front-door/schemas.ts";
import { formatMoney } from "../base/format/money.ts";
import { useServerTime } from "../base/live/clock.ts";
import { noPoolYet } from "../events/action-texts.ts";
import { couldPayCents, isUnopposed } from "../events/estimate.ts";
import { ClockFace, IdleClock } from "../ui/clock-face.tsx";
import { SideShape } from "../ui/icon.tsx";
import { Pill } from "../ui/pill.tsx";
import { NoPool, PoolBar } from "../ui/pool-bar.tsx";
import * as texts from "./front-door-texts.ts";

const ONE_DOLLAR_CENTS = 100;
const LONG_TITLE = 45;

type LiveProps = { live: NonNullable<FrontDoor["live"]>; renderedAt: string };

/** The question that is live: its clock, its pool, and what a dollar on either side could pay. */
export function LiveNow({ live, renderedAt }: LiveProps) {
  const { name, paused, event } = live;
  return (
    <section className="panel pad live-now" aria-label={texts.liveNowIn(name)}>
      <p className="row small">
        {paused ? (
          <Pill icon="pause" tone="warn">
            {texts.paused}
          </Pill>
        ) : (
          <Pill icon="true" tone="live">
            {texts.liveNow}
          </Pill>
        )}
        <span className="clip ink2">{name}</span>
      </p>
      {event === null ? (
        <NoQuestion />
      ) : (
        <Question key={event.id} event={event} paused={paused} renderedAt={renderedAt} />
      )}
    </section>
  );
}

type QuestionProps = { event: FrontEvent; paused: boolean; renderedAt: string };

function Question({ event, paused, renderedAt }: QuestionProps) {
  return (
    <>
      <h2 data-len={event.title.length > LONG_TITLE ? "long" : undefined}>{event.title}</h2>
      <div className="live-now-stage">
        <Clock event={event} paused={paused} renderedAt={renderedAt} />
        <Chances event={event} renderedAt={renderedAt} />
      </div>
      <PoolBar event={event} />
    </>
  );
}

/** Between two questions, in the same rows. */
function NoQuestion() {
  return (
    <>
      <h2>{texts.nextQuestion}</h2>
      <div className="live-now-stage">
        <IdleClock />
      </div>
      <NoPool text={noPoolYet} />
    </>
  );
}

/** Counts down to the close, or to the opening. Otherwise it is empty. */
function Clock({ event, paused, renderedAt }: QuestionProps) {
  const { state, opensAt, closesAt, publishedAt, durationSeconds } = event;
  if (!paused && state === "open" && closesAt !== null) {
    const toMs = Date.parse(closesAt);
    return (
      <ClockFace
        fromMs={toMs - durationSeconds * 1_000}
        toMs={toMs}
        unit={texts.toClose}
        spoken={texts.closesIn}
        className=""
        renderedAt={renderedAt}
      />
    );
  }
  if (!paused && state === "visible" && opensAt !== null) {
    return (
      <ClockFace
        fromMs={Date.parse(publishedAt ?? opensAt)}
        toMs={Date.parse(opensAt)}
        unit={texts.toOpen}
        spoken={texts.opensIn}
        className=""
        renderedAt={renderedAt}
        inMinutes
      />
    );
  }
  return <IdleClock locked={state === "closed"} />;
}

/** What a dollar could pay on each side; once the time is up, that the result is awaited. */
function Chances({ event, renderedAt }: Pick<QuestionProps, "event" | "renderedAt">) {
  const { state, closesAt, pool, callsCount } = event;
  const closesAtMs = Date.parse(closesAt ?? "");
  const isOver = useServerTime(
    (nowMs) => state === "closed" || (state === "open" && nowMs >= closesAtMs),
    renderedAt,
  );
  if (isOver) return <p className="strong">{texts.waitsForResult}</p>;
  return (
    <div className="chances">
      {callsCount === 0 ? (
        <p className="strong">{texts.firstCall}</p>
      ) : (
        <>
          <Chance side="true" label={event.trueLabel} pool={pool} />
          <Chance side="false" label={event.falseLabel} pool={pool} />
        </>
      )}
      <p className="small ink2 num">{texts.callsSoFar(callsCount)}</p>
    </div>
  );
}

type ChanceProps = { side: "true" | "false"; label: string; pool: FrontEvent["pool"] };

/** While the other side is empty, a call would only come back: it says what it hopes for. */
function Chance({ side, label, pool }: ChanceProps) {
  const amount = formatMoney(couldPayCents(pool, side, { ownCents: 0, moreCents: ONE_DOLLAR_CENTS }));
  return (
    <p className="chance">
      <b className="side-mark">
        <SideShape side={side} /> <span className="clip">{label}</span>
      </b>
      <span className="small num">{isUnopposed(pool, side) ? texts.othersPay : texts.couldPay(amount)}</span>
    </p>
  );
}
