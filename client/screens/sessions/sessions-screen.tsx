import { Link, useLoaderData } from "react-router";
import { formatCount } from "#client/base/format/count.ts";
import { useViewer } from "#client/base/page/context.ts";
import { SessionRow } from "#client/sessions/session-row.tsx";
import * as texts from "#client/sessions/sessions-texts.ts";
import { EmptyState } from "#client/ui/empty-state.tsx";
import { fill } from "#client/ui/fill.tsx";
import * as frame from "#client/ui/frame-texts.ts";
import { PageLayout, Panel } from "#client/ui/page-layout.tsx";
import { Pagination } from "#client/ui/pagination.tsx";
import { WhenLoaded } from "#client/ui/when-loaded.tsx";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { LiveBanner } from "./live-banner.tsx";
import type { SessionsData, SessionsPage } from "./load-sessions.ts";

/** All sessions: the live one first, then coming and finished ones. */
export function SessionsScreen() {
  const { sessions } = useLoaderData<SessionsData>();
  const admin = useViewer()?.roles.includes("admin") === true;
  return (
    <PageLayout title={frame.sessions} actions={admin ? <NewSession /> : null}>
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
