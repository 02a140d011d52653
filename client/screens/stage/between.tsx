import * as words from "#client/base/format/words.ts";
import { cardTitle } from "#client/card/event-card.tsx";
import { useNextText } from "#client/events/next-text.ts";
import { useView, type View } from "#client/events/view.ts";
import type { TeamView } from "#src/play/teams/schemas.ts";
import { Leaders } from "./leaders.tsx";
import { TeamStandings } from "./team-board.tsx";
import { widthOf } from "./text-width.ts";

const LONG_TITLE = 40;

/** Between two questions: the leaders, or the teams where there are some, and what comes next. */
export function Between({ teams }: { teams: readonly TeamView[] }) {
  return (
    <>
      {teams.length === 0 ? <Leaders /> : <TeamStandings teams={teams} />}
      <NextQuestion />
    </>
  );
}

/** The next question as far as players know it too, and when it comes. */
function NextQuestion() {
  const { state, phase } = useView();
  const when = useNextText();
  const title = nextTitle(state.events);
  const isPaused = phase === "paused" || state.session.pausedAt !== null;
  return (
    <section className="next-up">
      <h2 className="num" translate={when === null ? undefined : "no"}>
        {isPaused ? words.pausedByTheHost : (when ?? "The next question appears here.")}
      </h2>
      {title === null ? null : <p data-len={widthOf(title) > LONG_TITLE ? "long" : undefined}>{title}</p>}
    </section>
  );
}

function nextTitle(events: View["state"]["events"]): string | null {
  const next = events
    .filter(({ state }) => state === "visible")
    .toSorted((one, other) => Date.parse(one.opensAt ?? "") - Date.parse(other.opensAt ?? ""));
  return next[0]?.title ?? null;
}

/** The heading: that of the leaders, once there are any. */
export function betweenTitle(view: View): string {
  const { event, state } = view;
  if (event === null && state.leaders.length === 0) return cardTitle(view);
  return state.teams?.length ? words.teams : words.leaders;
}
