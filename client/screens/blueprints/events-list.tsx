import * as texts from "#client/blueprints/blueprints-texts.ts";
import { startText } from "#client/blueprints/plan-times.ts";
import type { BlueprintEventView } from "#src/show/blueprints/schemas.ts";
import { EventColumnHeadings, TermCells } from "./event-columns.tsx";

/** The events of a blueprint, read-only. */
export function EventsList({ events }: { events: readonly BlueprintEventView[] }) {
  return (
    <section className="panel" aria-label={texts.actions}>
      <table className="table events">
        <thead>
          <tr>
            <EventColumnHeadings />
          </tr>
        </thead>
        <tbody>
          {events.map((event) => (
            <tr key={event.id}>
              <td className="num muted">{event.position}</td>
              <td className="question">
                <b>{event.title}</b>
                <span className="narrow-only tiny muted">
                  {texts.describeEvent(
                    event.trueLabel,
                    event.falseLabel,
                    event.durationSeconds,
                    startText(event, event.position),
                  )}
                </span>
              </td>
              <TermCells
                {...event}
                starts={startText(event, event.position)}
                seconds={event.durationSeconds}
              />
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
