import { Link, useLoaderData } from "react-router";
import type { SessionsAnswer, SessionView } from "#src/sessions/contract.ts";
import { Blank } from "../ui/blank.tsx";
import { PageLayout, Panel } from "../ui/page-layout.tsx";
import { LiveBanner } from "./live-banner.tsx";
import { SessionRow } from "./session-row.tsx";

/** Every session: the live one first, then what comes and what was. */
export function SessionsScreen() {
  const { sessions } = useLoaderData<SessionsAnswer>();
  const live = sessions.filter(isLive);
  const coming = sessions.filter((session) => session.state === "pending" && !session.active);
  const finished = sessions.filter((session) => session.state === "stopped");
  return (
    <PageLayout title="Sessions">
      {live.length === 0 ? <NothingLive next={coming.at(0)} /> : null}
      {live.map((session) => (
        <LiveBanner key={session.id} session={session} />
      ))}
      <SessionPanel title="Coming up" sessions={coming} />
      <SessionPanel title="Finished" sessions={finished} />
    </PageLayout>
  );
}

function isLive({ active, state }: SessionView): boolean {
  return active || state === "running" || state === "paused";
}

function SessionPanel({ title, sessions }: { title: string; sessions: readonly SessionView[] }) {
  if (sessions.length === 0) return null;
  return (
    <Panel title={title}>
      <ul className="list tall">
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
    </Panel>
  );
}

function NothingLive({ next }: { next: SessionView | undefined }) {
  return (
    <section className="panel">
      <Blank icon="clock" title="No session is live">
        {next === undefined ? (
          <p>When one starts, it stands here.</p>
        ) : (
          <p>
            Next is <Link to={`/sessions/${next.slug}`}>{next.name}</Link>.
          </p>
        )}
      </Blank>
    </section>
  );
}
