import type { BlueprintEventView } from "#src/blueprints/contract.ts";
import { SideShape } from "../ui/icon.tsx";
import { startText } from "./plan-times.ts";

/** The events of a blueprint, to be read. */
export function EventsList({ events }: { events: readonly BlueprintEventView[] }) {
  return (
    <section className="panel" aria-label="Actions">
      <table className="table events">
        <thead>
          <tr>
            <th scope="col" className="col-number">
              #
            </th>
            <th scope="col">Question</th>
            <th scope="col" className="wide-only col-label">
              True Label
            </th>
            <th scope="col" className="wide-only col-label">
              False Label
            </th>
            <th scope="col" className="wide-only col-starts">
              Starts
            </th>
            <th scope="col" className="end wide-only col-seconds">
              Seconds
            </th>
          </tr>
        </thead>
        <tbody>
          {events.map((event) => (
            <tr key={event.id}>
              <td className="num muted">{event.position}</td>
              <td className="question">
                <b>{event.title}</b>
                <span className="narrow-only tiny muted">
                  {event.trueLabel} or {event.falseLabel}, {event.durationSeconds} s,{" "}
                  {startText(event, event.position)}
                </span>
              </td>
              <td className="wide-only">
                <span className="side-mark">
                  <SideShape side="true" />
                  {event.trueLabel}
                </span>
              </td>
              <td className="wide-only">
                <span className="side-mark">
                  <SideShape side="false" />
                  {event.falseLabel}
                </span>
              </td>
              <td className="num nowrap ink2 wide-only">{startText(event, event.position)}</td>
              <td className="num end strong wide-only">{event.durationSeconds}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
