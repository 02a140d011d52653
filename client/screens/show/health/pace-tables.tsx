import { formatMoney } from "#client/base/format/money.ts";
import type { Pace } from "#src/operate/health/schemas.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import * as texts from "../texts/health-texts.ts";

/** A table of sixty rows would say less. */
const ROW_SECONDS = 10;

/** The line of calls a second, for screen readers. It is hidden within a box: a table would stay as wide as its texts. */
export function PerSecondTable({ perSecond }: { perSecond: readonly number[] }) {
  const newestFirst = perSecond.toReversed();
  const rows = Array.from({ length: Math.ceil(newestFirst.length / ROW_SECONDS) }, (_, row) => {
    const from = row * ROW_SECONDS;
    const seconds = newestFirst.slice(from, from + ROW_SECONDS);
    return { from, to: from + seconds.length, calls: seconds.reduce((sum, calls) => sum + calls, 0) };
  });
  return (
    <div className="vh">
      <table>
        <caption>{texts.perSecondTable}</caption>
        <thead>
          <tr>
            <th scope="col">{texts.beforeNewest}</th>
            <th scope="col">{texts.calls}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ from, to, calls }) => (
            <tr key={from}>
              <th scope="row">{texts.range(from, to)}</th>
              <td>{calls}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The bars of the money before the close, for screen readers. */
export function ArrivalsTable({ pace, event }: { pace: Pace; event: EventView }) {
  return (
    <div className="vh">
      <table>
        <caption>{texts.arrivalsTable}</caption>
        <thead>
          <tr>
            <th scope="col">{texts.beforeClose}</th>
            <th scope="col">{texts.calls}</th>
            <th scope="col">{event.trueLabel}</th>
            <th scope="col">{event.falseLabel}</th>
          </tr>
        </thead>
        <tbody>
          {pace.arrivals.map(({ fromSeconds, calls, trueCents, falseCents }) => (
            <tr key={fromSeconds}>
              <th scope="row">{texts.range(fromSeconds, fromSeconds - pace.stepSeconds)}</th>
              <td>{calls}</td>
              <td>{formatMoney(trueCents)}</td>
              <td>{formatMoney(falseCents)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
