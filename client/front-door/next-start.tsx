import type { FrontDoor } from "#src/show/front-door/schemas.ts";
import { RemindLink } from "../sessions/remind-link.tsx";
import { ClockFace } from "../ui/clock-face.tsx";
import { fill } from "../ui/fill.tsx";
import { Moment } from "../ui/time.tsx";
import * as texts from "./front-door-texts.ts";
import { MovingPicture } from "./moving-picture.tsx";

const HOUR_MS = 3_600_000;

type NextProps = { next: FrontDoor["next"]; renderedAt: string };

/** While nothing is live: what the game looks like, and when the next session starts. */
export function NextStart({ next, renderedAt }: NextProps) {
  return (
    <section className="panel pad live-now" aria-label={texts.nothingLive}>
      <MovingPicture />
      <p className="small ink2">{next === null ? texts.nothingLive : texts.nextIs}</p>
      {next === null ? (
        <p className="strong">{texts.noNext}</p>
      ) : (
        <Next next={next} renderedAt={renderedAt} />
      )}
    </section>
  );
}

function Next({ next, renderedAt }: { next: NonNullable<FrontDoor["next"]>; renderedAt: string }) {
  const { name, startsAt } = next;
  return (
    <div className="live-now-stage">
      {isSoon(startsAt, renderedAt) ? <Countdown startsAt={startsAt ?? ""} renderedAt={renderedAt} /> : null}
      <div className="stack">
        <h2>{name}</h2>
        <p>{startsAt === null ? texts.startsByHand : fill(texts.starts, { at: <Moment at={startsAt} /> })}</p>
        {startsAt === null ? null : <RemindLink session={next} className="btn" />}
      </div>
    </div>
  );
}

/** Before that the time of the start says more than a clock. */
function isSoon(startsAt: string | null, renderedAt: string): boolean {
  return startsAt !== null && Date.parse(startsAt) - Date.parse(renderedAt) < HOUR_MS;
}

function Countdown({ startsAt, renderedAt }: { startsAt: string; renderedAt: string }) {
  const toMs = Date.parse(startsAt);
  return (
    <ClockFace
      fromMs={toMs}
      toMs={toMs}
      unit={texts.toStart}
      spoken={texts.startsIn}
      className="idle"
      renderedAt={renderedAt}
      inMinutes
    />
  );
}
