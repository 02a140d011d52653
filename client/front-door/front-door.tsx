import type { ReactNode } from "react";
import type { FrontDoor as Door } from "#src/show/front-door/schemas.ts";
import { formatMoney } from "../base/format/money.ts";
import { sessionPathIn } from "../sign-ins/become-guest.ts";
import { PlayAsGuest } from "../sign-ins/play-as-guest-form.tsx";
import * as texts from "./front-door-texts.ts";
import { LiveNow } from "./live-now.tsx";
import { NextStart } from "./next-start.tsx";
import { PlayNow, type PlayRefusal } from "./play-now.tsx";
import { useFrontDoor } from "./use-front-door.ts";

type FrontDoorProps = {
  loaded: Door;
  /** The path that the visitor came for, whose page begins with the sign-in; null for none. */
  returnTo: string | null;
  refusal: PlayRefusal | undefined;
  /** Below the button. */
  children: ReactNode;
};

/** What a stranger sees first: the game as it is now, and one large button that leads into it. */
export function FrontDoor({ loaded, returnTo, refusal, children }: FrontDoorProps) {
  const door = useFrontDoor(loaded);
  const { live, next, guestGrantCents } = door;
  const session = live ?? next;
  const linked = sessionPathIn(returnTo);
  const path = session === null ? linked : `/sessions/${session.slug}`;
  const Heading = returnTo === null ? "h1" : "h2";
  return (
    <section className="front-door" aria-labelledby="front-door-title">
      <div>
        <Heading id="front-door-title">{texts.slogan}</Heading>
        <p>
          {texts.what} {texts.startsWithMoney(formatMoney(guestGrantCents))}
        </p>
      </div>
      {path === null ? null : (
        <PlayNow to={path} label={live === null ? texts.joinNow : texts.playNow} refusal={refusal} />
      )}
      <Now door={door} isLinked={linked !== null} />
      {linked === null || linked === path ? null : (
        <PlayAsGuest returnTo={linked} className="btn ghost wide" label={texts.linkedSession} />
      )}
      {children}
    </section>
  );
}

/** The same on a page that is about something else: the game as it is now, and the button. */
export function GameNow({ loaded }: { loaded: Door }) {
  const door = useFrontDoor(loaded);
  const { live, next } = door;
  const session = live ?? next;
  return (
    <div className="front-door">
      <p className="ink2">{texts.what}</p>
      <Now door={door} isLinked={false} />
      {session === null ? null : (
        <PlayAsGuest
          returnTo={`/sessions/${session.slug}`}
          className="btn you lg wide"
          label={live === null ? texts.joinNow : texts.playNow}
        />
      )}
    </div>
  );
}

function Now({ door: { live, next, serverTime }, isLinked }: { door: Door; isLinked: boolean }) {
  if (live === null) return <NextStart next={next} renderedAt={serverTime} isLinked={isLinked} />;
  return <LiveNow live={live} renderedAt={serverTime} />;
}
