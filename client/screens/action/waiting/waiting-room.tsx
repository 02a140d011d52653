import { type RefObject, useEffect, useRef, useState } from "react";
import { guardWhenGone } from "#client/base/browser/click-guard.ts";
import { useApi } from "#client/base/page/context.ts";
import { useView } from "#client/events/view.ts";
import { refetchDelayMs } from "#client/leaderboard/refetch-delay.ts";
import { sessionPath } from "#client/sessions/load-session.ts";
import { Avatar } from "#client/ui/avatar.tsx";
import { Icon } from "#client/ui/icon.tsx";
import { type Side, sides } from "#db/lists/spots.ts";
import type { Arrivals } from "#src/show/stage/schemas.ts";
import { openSheet } from "../phone/sheet-history.ts";
import { endPractice, practise, usePractice } from "./practice.ts";

/** What a player finds before a session starts, in the rows of the pool, the slip and the sides; see use-waiting-parts.ts. */
export const waitingParts = { PracticeRow, PracticeSides, WhoIsIn };

const FACES_SHOWN = 8;
/** Nobody needs to know at once who has come: in a crowd each page looks this many times more rarely than it could. */
const PATIENCE = 10;
const LOOK_AGAIN_MS = 3_000;

function WhoIsIn() {
  const arrivals = useArrivals();
  if (arrivals === null || arrivals.count === 0)
    return <p className="pool small ink2">Who comes in appears here.</p>;
  const { count, players } = arrivals;
  const newest = players.slice(-FACES_SHOWN).toReversed();
  const others = count - newest.length;
  return (
    <ul className="pool who-is-in" aria-label="Who is in">
      {newest.map(({ userId, username, picture }) => (
        <li key={userId} title={username}>
          {picture === null ? (
            <Avatar name={username} avatar={null} />
          ) : (
            <img className="avatar" src={picture} alt="" width={32} height={32} />
          )}
          <span className="vh" translate="no">
            {username}
          </span>
        </li>
      ))}
      {others > 0 ? <li className="small num">{`and ${others} more`}</li> : null}
    </ul>
  );
}

/** Who has come, as the big screen shows it; null until it is known. */
function useArrivals(): Arrivals | null {
  const { session, playersOnline } = useView().state;
  const { slug } = session;
  const api = useApi();
  const [arrivals, setArrivals] = useState<Arrivals | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isFirst = useRef(true);
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    const delayMs = isFirst.current
      ? 0
      : Math.max(LOOK_AGAIN_MS, refetchDelayMs(playersOnline * PATIENCE, Math.random()));
    isFirst.current = false;
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      api.get(`${sessionPath(slug)}/stage`).then(
        (stage) => setArrivals(stage.arrivals),
        // The next who comes leads to another look.
        () => undefined,
      );
    }, delayMs);
  }, [api, slug, playersOnline]);
  return arrivals;
}

/** What is practised, and how to bring somebody along. */
function PracticeRow() {
  const { question, told } = usePractice();
  return (
    <div className="mine">
      <Icon name="info" />
      <span className="clip">{told ?? `Practice: ${question.title}`}</span>
      <button className="act" type="button" ref={guardWhenGone} onClick={() => openSheet("invite")}>
        Invite
      </button>
    </div>
  );
}

/** The two sides as they are in the game, for a question that pays nothing: no press on them leaves this page. */
function PracticeSides({ group }: { group: RefObject<HTMLDivElement | null> }) {
  const { question } = usePractice();
  useEffect(() => endPractice, []);
  return (
    <div className="sides" role="radiogroup" aria-label={`Practice: ${question.title}`} ref={group}>
      {sides.map((side) => (
        <PracticeSide key={side} side={side} label={question[side]} />
      ))}
    </div>
  );
}

function PracticeSide({ side, label }: { side: Side; label: string }) {
  const { called, result } = usePractice();
  const mine = called === side;
  const waits = mine ? "Called" : "Pays nothing";
  const text = result === side ? "The result" : waits;
  const state = called === null ? "" : "quiet";
  return (
    <button
      className={`side ${side} ${mine ? "mine-side" : state}`}
      type="button"
      role="radio"
      aria-checked={mine}
      aria-label={`${side === "true" ? "You think " : ""}${label}. ${text}`}
      onClick={() => practise(side)}
      ref={guardWhenGone}
    >
      <Icon name={side} />
      <span className="label">
        <small>{side === "true" ? "You think" : "\u00a0"}</small>
        <span>{label}</span>
      </span>
      <span className="est">{text}</span>
    </button>
  );
}
