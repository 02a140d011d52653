import { Link, useLoaderData } from "react-router";
import type { SessionView } from "#src/sessions/schemas.ts";
import { useViewer } from "../context.ts";
import { WhenLoaded } from "../deferred/when-loaded.tsx";
import { formatCount } from "../ui/count.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { fill } from "../ui/fill.tsx";
import { PageLayout, Panel } from "../ui/page-layout.tsx";
import { Pagination } from "../ui/pagination.tsx";
import { LiveBanner } from "./live-banner.tsx";
import type { SessionsData, SessionsPage } from "./load-sessions.ts";
import { SessionRow } from "./session-row.tsx";
import * as texts from "./sessions-texts.ts";

/** All sessions: the live one first, then coming and finished ones. */
export function SessionsScreen() {
  const { sessions } = useLoaderData<SessionsData>();
  const admin = useViewer()?.roles.includes("admin") === true;
  return (
    <PageLayout title={texts.sessions} actions={admin ? <NewSession /> : null}>
      <WhenLoaded data={sessions}>{(page) => <Sessions {...page} admin={admin} />}</WhenLoaded>
    </PageLayout>
  );
}

function Sessions({ live, coming, finished, meta, admin }: SessionsPage & { admin: boolean }) {
  const [first, ...alsoLive] = live;
  return (
    <>
      {first === undefined ? (
        <NothingLive next={coming.at(0)} />
      ) : (
        <LiveBanner session={first} admin={admin} />
      )}
      <SessionPanel title={texts.alsoLive} sessions={alsoLive} count={alsoLive.length} admin={admin} />
      <SessionPanel title={texts.comingUp} sessions={coming} count={coming.length} admin={admin} />
      <SessionPanel title={texts.finished} sessions={finished} count={meta.totalCount} admin={admin} />
      <Pagination meta={meta} />
    </>
  );
}

function NewSession() {
  return (
    <Link className="btn primary" to="/sessions/new">
      {texts.newSession}
    </Link>
  );
}

type PanelProps = { title: string; sessions: readonly SessionView[]; count: number; admin: boolean };

/** @param count on all pages together. */
function SessionPanel({ title, sessions, count, admin }: PanelProps) {
  if (sessions.length === 0) return null;
  return (
    <Panel title={title} aside={formatCount(count)}>
      <ul className="list tall">
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} admin={admin} />
        ))}
      </ul>
    </Panel>
  );
}

function NothingLive({ next }: { next: SessionView | undefined }) {
  return (
    <section className="panel">
      <EmptyState icon="clock" title={texts.noSessionIsLive}>
        {next === undefined ? (
          <p>{texts.noSessionHint}</p>
        ) : (
          <p>
            {fill(texts.nextSession, { session: <Link to={`/sessions/${next.slug}`}>{next.name}</Link> })}
          </p>
        )}
      </EmptyState>
    </section>
  );
}
