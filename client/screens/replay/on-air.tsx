import { minutes } from "#client/base/format/countdown.ts";
import { Panel } from "#client/ui/page-layout.tsx";
import { PoolBar } from "#client/ui/pool-bar.tsx";
import { poolOf } from "#src/play/spots/contract.ts";
import { EventPill, eventOnAir, sessionIs } from "./actions-table.tsx";
import type { ReplayedEvent, ReplayState } from "./timeline.ts";

/** What players looked at: the action on the air, its pool, and how long it took calls. */
export function OnAir({ state, atMs }: { state: ReplayState; atMs: number }) {
  const event = eventOnAir(state);
  const { session } = state;
  const aside = sessionIs[session?.state ?? "pending"];
  return (
    <Panel title="On air" aside={aside}>
      {event === null ? (
        <p className="body ink2">No action is open.</p>
      ) : (
        <div className="body stack replay-event">
          <h3 className="wrap-anywhere">{event.title}</h3>
          <p className="row wrap">
            <EventPill event={event} />
            <span className="small ink2 num">
              {clockOf(event, { atMs, pausedAt: session?.pausedAt ?? null })}
            </span>
            {event.corrections === 0 ? null : (
              <span className="small ink2">
                {event.corrections === 1 ? "Corrected" : `Corrected ${event.corrections} times`}
              </span>
            )}
          </p>
          {event.picture === undefined ? null : (
            <img
              className="question-picture"
              src={event.picture.url}
              alt={event.picture.alt}
              width={event.picture.width}
              height={event.picture.height}
            />
          )}
          <PoolBar event={withPool(event)} />
          <WhyDecided event={event} />
        </div>
      )}
    </Panel>
  );
}

/** The host's reason for the result, and what explains it. */
function WhyDecided({ event: { result, resultReason, explanation } }: { event: ReplayedEvent }) {
  return (
    <>
      {result === null || resultReason === null || resultReason === "" ? null : (
        <p className="small ink2 wrap-anywhere">{resultReason}</p>
      )}
      {explanation === undefined ? null : <p className="small wrap-anywhere">{explanation}</p>}
    </>
  );
}

function clockOf(
  { state, closesAt }: ReplayedEvent,
  { atMs, pausedAt }: { atMs: number; pausedAt: string | null },
): string {
  if (state !== "open" || closesAt === null) return "";
  return pausedAt === null ? `${minutes(Date.parse(closesAt) - atMs)} left` : "The clock stands still";
}

/** The event with its pool as the bar takes it. */
function withPool({ trueLabel, falseLabel, pool: { trueCents, falseCents } }: ReplayedEvent) {
  return { trueLabel, falseLabel, pool: poolOf(trueCents, falseCents) };
}
