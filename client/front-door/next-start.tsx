import type { FrontDoor } from "#src/show/front-door/schemas.ts";
import { RemindLink } from "../sessions/remind-link.tsx";
import { ClockFace } from "../ui/clock-face.tsx";
import { fill } from "../ui/fill.tsx";
import { Moment } from "../ui/time.tsx";
import * as texts from "./front-door-texts.ts";
import { MovingPicture } from "./moving-picture.tsx";

const HOUR_MS = 3_600_000;
/** A longer name has smaller letters. */
const LONG_NAME = 45;

type NextProps = { next: FrontDoor["next"]; renderedAt: string; isLinked: boolean };

/**
 * While nothing is live: when the next session starts, and what the game looks like. Only the picture gives way, so another session
 * moves nothing. @param isLinked who comes has a link to one.
 */
export function NextStart({ next, renderedAt, isLinked }: NextProps) {
  const startsAt = next?.startsAt ?? null;
  return (
    <section className="panel pad live-now next-start" aria-label={texts.nothingLive}>
      <p className="small ink2">{next === null ? texts.nothingLive : texts.nextIs}</p>
      {/* A new element for another name: the same one would be seen to jump. */}
      <Title key={next?.id} text={next?.name ?? titleWithout(isLinked)} />
      <div className="row">
        <MovingPicture />
        {isSoon(startsAt, renderedAt) ? (
          <Countdown startsAt={startsAt ?? ""} renderedAt={renderedAt} />
        ) : null}
      </div>
      <p>{next === null ? null : <When startsAt={startsAt} />}</p>
      <div>{next === null || startsAt === null ? null : <RemindLink session={next} className="btn" />}</div>
    </section>
  );
}

function Title({ text }: { text: string }) {
  return <h2 data-len={text.length > LONG_NAME ? "long" : undefined}>{text}</h2>;
}

function titleWithout(isLinked: boolean): string {
  return isLinked ? texts.noNextButLinked : texts.noNext;
}

function When({ startsAt }: { startsAt: string | null }) {
  return startsAt === null ? texts.startsByHand : fill(texts.starts, { at: <Moment at={startsAt} /> });
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
