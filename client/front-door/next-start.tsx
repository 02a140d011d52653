import type { FrontDoor } from "#src/show/front-door/schemas.ts";
import { RemindLink } from "../sessions/remind-link.tsx";
import { ClockFace } from "../ui/clock-face.tsx";
import { fill } from "../ui/fill.tsx";
import { Moment } from "../ui/time.tsx";
import * as texts from "./front-door-texts.ts";

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

/**
 * The game in one picture: two calls make a pool, the clock runs out, and the side that was right gets the pool. It moves once, for
 * less than five seconds, so nobody needs to stop it. With reduced motion it is the end of it.
 */
function MovingPicture() {
  return (
    <svg className="moving-picture" viewBox="0 0 320 120" aria-hidden="true">
      <g className="picture-clock">
        <path className="track" d="M92 60L60 92A32 32 0 0 1 60 28Z" />
        <path className="run" pathLength="100" d="M92 60L60 92A32 32 0 0 1 60 28Z" />
        <path className="tick" d="M45 60l9 9L70 52" />
      </g>
      <g className="picture-sides">
        <circle className="true" cx="146" cy="36" r="16" />
        <path className="false" d="M280 18L298 36L280 54L262 36Z" />
      </g>
      <g className="picture-pool">
        <path className="true" d="M138 76H214V100H138A12 12 0 0 1 138 76Z" />
        <path className="false" d="M218 76H288L300 88L288 100H218Z" />
      </g>
      <path className="picture-win" d="M138 76H288L300 88L288 100H138A12 12 0 0 1 138 76Z" />
    </svg>
  );
}
