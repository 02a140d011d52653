import { Link } from "react-router";
import { useViewer } from "#client/base/page/context.ts";
import * as texts from "#client/sessions/sessions-texts.ts";
import { Icon } from "#client/ui/icon.tsx";
import { Pill } from "#client/ui/pill.tsx";
import type { SessionView } from "#src/show/sessions/schemas.ts";

/** The live session. */
export function LiveBanner({ session, admin }: { session: SessionView; admin: boolean }) {
  const { id, name, slug, state, playersOnline, eventsCount } = session;
  const runs = useViewer()?.hostOf.includes(id) === true || admin;
  return (
    <section className="banner" aria-label={texts.liveNow(name)}>
      <Icon name="mark" className="only-desktop" />
      <div className="row">
        <LivePill state={state} />
        <span className="small num">{texts.questions(eventsCount)}</span>
      </div>
      <h2>{name}</h2>
      <div className="row wrap">
        {runs ? (
          <Link className="btn you lg" to={`/sessions/${slug}/admin`}>
            {texts.runTheShow}
          </Link>
        ) : null}
        {admin ? null : (
          <Link className={runs ? "btn lg" : "btn you lg"} to={`/sessions/${slug}`}>
            {texts.goToTheGame}
          </Link>
        )}
        <span className="small">
          {playersOnline === 0 ? texts.nobodyHereYet : texts.playersHere(playersOnline)}
        </span>
      </div>
    </section>
  );
}

function LivePill({ state }: Pick<SessionView, "state">) {
  if (state === "paused") {
    return (
      <Pill icon="pause" tone="warn">
        {texts.paused}
      </Pill>
    );
  }
  return state === "pending" ? (
    <Pill icon="clock" tone="you">
      {texts.startsSoon}
    </Pill>
  ) : (
    <Pill icon="true" tone="you">
      {texts.liveNowWord}
    </Pill>
  );
}
