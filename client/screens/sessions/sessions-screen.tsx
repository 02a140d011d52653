import { Form, Link, useLoaderData, useSearchParams } from "react-router";
import type { Api, RequestOptions } from "#client/base/api/api.ts";
import { defer } from "#client/base/deferred/defer.ts";
import type { Deferred } from "#client/base/deferred/deferred.ts";
import { formatCount, countOf } from "#client/base/format/count.ts";
import { pageIn } from "#client/base/format/page-in.ts";
import * as words from "#client/base/format/words.ts";
import { pageContext, useViewer } from "#client/base/page/context.ts";
import type { LoaderArgs } from "#client/base/page/handle.ts";
import { LongQuestions } from "#client/sessions/long-questions.tsx";
import { SessionRow } from "#client/sessions/session-row.tsx";
import { EmptyPanel } from "#client/ui/empty-state.tsx";
import { fill } from "#client/ui/fill.tsx";
import { Icon } from "#client/ui/icon.tsx";
import { List } from "#client/ui/list.tsx";
import { Note } from "#client/ui/note.tsx";
import { PageLayout, Panel, ButtonLink } from "#client/ui/page-layout.tsx";
import { Pagination } from "#client/ui/pagination.tsx";
import { Pill } from "#client/ui/pill.tsx";
import { SearchInput } from "#client/ui/search-input.tsx";
import { WhenLoaded } from "#client/ui/when-loaded.tsx";
import type { SessionState } from "#db/lists/sessions.ts";
import { say } from "#src/http/contract.ts";
import { site } from "#src/settings/contract.ts";
import type { LongQuestion } from "#src/show/front-door/schemas.ts";
import { SESSION_NAME_LENGTH_MAX } from "#src/show/sessions/contract.ts";
import type { SessionsAnswer, SessionView } from "#src/show/sessions/schemas.ts";

/** Live sessions are few and come all at once; the others come in pages. */
const LIVE_MAX = 100;
/** The name of the page of those that come, in the address. */
const COMING_PAGE = "coming";

/** All sessions: the live one first, then coming and finished ones. */
export function SessionsScreen() {
  const { sessions, search } = useLoaderData<SessionsData>();
  const isNew = useSearchParams()[0].get("now") === "password_changed";
  const admin = useViewer()?.roles.includes("admin") === true;
  return (
    <PageLayout
      title={words.sessions}
      actions={admin ? <NewSession /> : <ButtonLink to="/join">Have a code?</ButtonLink>}
    >
      {isNew ? (
        <Note tone="ok">Your password is changed, and you are signed in. A mail says so, too.</Note>
      ) : null}
      <WhenLoaded data={sessions}>
        {(page) => <Sessions {...page} search={search} admin={admin} />}
      </WhenLoaded>
    </PageLayout>
  );
}

function Sessions({
  live,
  openForDays,
  coming,
  finished,
  beginning,
  search,
  admin,
}: SessionsPage & { search: string; admin: boolean }) {
  const [first, ...alsoLive] = live;
  const { totalCount } = coming.meta;
  const isLong = coming.meta.totalPages > 1 || finished.meta.totalPages > 1;
  return (
    <>
      {beginning === null ? null : <FirstSteps {...beginning} />}
      {first === undefined && beginning === null ? (
        <NothingLive
          next={search === "" && coming.meta.currentPage === 1 ? coming.sessions.at(0) : undefined}
        />
      ) : null}
      {first === undefined ? null : <LiveBanner session={first} admin={admin} />}
      <SessionPanel title="Also live" sessions={alsoLive} count={alsoLive.length} admin={admin} />
      <LongQuestions questions={openForDays} />
      {isLong || search !== "" ? <Search search={search} /> : null}
      {search !== "" && totalCount + finished.meta.totalCount === 0 ? (
        <p className="ink2" role="status">
          {`No coming or finished session has "${search}" in its name.`}
        </p>
      ) : null}
      <SessionPanel title="Coming up" sessions={coming.sessions} count={totalCount} admin={admin} />
      <Pagination meta={coming.meta} param={COMING_PAGE} label="Pages of those coming up" />
      <SessionPanel
        title="Finished"
        sessions={finished.sessions}
        count={finished.meta.totalCount}
        admin={admin}
      />
      <Pagination meta={finished.meta} label="Pages of the finished ones" />
    </>
  );
}

/** Only where the lists are long. What is found begins on its first pages. */
function Search({ search }: { search: string }) {
  return (
    <Form className="row search" role="search">
      <SearchInput
        search={search}
        placeholder={words.name}
        label="Search sessions by name"
        maxLength={SESSION_NAME_LENGTH_MAX}
        button={words.search}
      />
    </Form>
  );
}

function NewSession() {
  return (
    <Link className="btn primary" to="/sessions/new">
      {words.newSession}
    </Link>
  );
}

type PanelProps = { title: string; sessions: readonly SessionView[]; count: number; admin: boolean };

/** @param count on all pages together. */
function SessionPanel({ title, sessions, count, admin }: PanelProps) {
  if (sessions.length === 0) return null;
  return (
    <Panel title={title} aside={formatCount(count)}>
      <List
        className="list tall"
        items={sessions}
        row={(session) => <SessionRow key={session.id} session={session} admin={admin} />}
      />
    </Panel>
  );
}

function NothingLive({ next }: { next: SessionView | undefined }) {
  return (
    <EmptyPanel icon="clock" title="No session is live">
      {next === undefined ? (
        <p>When one starts, it appears here.</p>
      ) : (
        <p>
          {fill("Next is {session}.", { session: <Link to={`/sessions/${next.slug}`}>{next.name}</Link> })}
        </p>
      )}
    </EmptyPanel>
  );
}

function LiveBanner({ session, admin }: { session: SessionView; admin: boolean }) {
  const { id, name, slug, state, playersOnline, eventsCount } = session;
  const runs = useViewer()?.hostOf.includes(id) === true || admin;
  return (
    <section className="banner" aria-label={`Live now: ${name}`}>
      {site().logo === null ? <Icon name="mark" className="only-desktop" /> : null}
      <div className="row">
        <LivePill state={state} />
        <span className="small num">{countOf(eventsCount, "question")}</span>
      </div>
      <h2>{name}</h2>
      <div className="row wrap">
        {runs ? (
          <Link className="btn you lg" to={`/sessions/${slug}/admin`}>
            Run the show
          </Link>
        ) : null}
        {admin ? null : (
          <Link className={runs ? "btn lg" : "btn you lg"} to={`/sessions/${slug}`}>
            Go to the game
          </Link>
        )}
        <span className="small">
          {playersOnline === 0 ? "Nobody here yet" : `${countOf(playersOnline, "player")} here`}
        </span>
      </div>
    </section>
  );
}

function LivePill({ state }: Pick<SessionView, "state">) {
  if (state === "paused") {
    return <Pill icon="pause" tone="warn" text={words.paused} />;
  }
  return state === "pending" ? (
    <Pill icon="clock" tone="you" text="Starts soon" />
  ) : (
    <Pill icon="true" tone="you" text={words.liveNow} />
  );
}

type SessionsData = { sessions: Deferred<SessionsPage>; search: string };
type SessionsPage = {
  /** Running, paused, or active before its start. */
  live: SessionView[];
  openForDays: readonly LongQuestion[];
  /** The next one first; those without a planned start last. */
  coming: SessionsAnswer;
  finished: SessionsAnswer;
  /** For an admin where no show has been yet. */
  beginning: Beginning | null;
};

/** Loads the list of sessions: `?search=derby&coming=2&page=3`, where `page` is that of the finished ones. */
export async function loadSessions(args: LoaderArgs): Promise<SessionsData> {
  const { api, context, url } = args;
  const query = url.searchParams;
  const search = query.get("search")?.trim() ?? "";
  const sessions = await defer(args, () =>
    fetchSessions(api, {
      admin: context.get(pageContext).viewer?.roles.includes("admin") === true,
      search: search === "" ? undefined : search,
      coming: pageIn(query, COMING_PAGE),
      finished: pageIn(query),
    }),
  );
  return { sessions, search };
}

type Asked = {
  admin: boolean;
  search: string | undefined;
  coming: number;
  finished: number;
};

async function fetchSessions(api: Api, { admin, search, ...pages }: Asked): Promise<SessionsPage> {
  const load = (state: SessionState, query: RequestOptions["query"]) =>
    api.get("/api/v1/sessions", { query: { state, ...query } });
  const [door, running, paused, active, coming, finished] = await Promise.all([
    api.get("/api/v1/front_door"),
    load("running", { perPage: LIVE_MAX }),
    load("paused", { perPage: LIVE_MAX }),
    load("pending", { active: true }),
    load("pending", { active: false, order: "soonest", search, page: pages.coming }),
    load("stopped", { search, page: pages.finished }),
  ]);
  const live = [...active.sessions, ...running.sessions, ...paused.sessions];
  const isBeginning =
    admin &&
    search === undefined &&
    live.length + finished.meta.totalCount === 0 &&
    coming.meta.totalCount < 2;
  const beginning = isBeginning ? await fetchBeginning(api, coming.sessions[0]) : null;
  const { openForDays } = door.frontDoor;
  return { live: live.toSorted(activeFirst), openForDays, coming, finished, beginning };
}

async function fetchBeginning(api: Api, session: SessionView | undefined): Promise<Beginning> {
  const { blueprints } = await api.get("/api/v1/blueprints", { query: { perPage: 1 } });
  return { blueprint: blueprints[0], session };
}

function activeFirst(one: SessionView, other: SessionView): number {
  return Number(other.active) - Number(one.active);
}

/** How far the first show is: the newest blueprint, and the session that was made. */
type Beginning = {
  blueprint: { id: number; name: string } | undefined;
  session: SessionView | undefined;
};

/** For an admin where no show has been yet: the way to the first one, each step one tap. */
function FirstSteps({ blueprint, session }: Beginning) {
  const viewer = useViewer();
  const room = `/sessions/${session?.slug}`;
  const steps = [
    {
      done: blueprint !== undefined || session !== undefined,
      text: "Write the questions, or paste a list of them.",
      to: "/blueprints/new",
      label: "Make a blueprint",
    },
    {
      done: session !== undefined,
      text: "Make a session from the blueprint: that is a show with a date.",
      to: blueprint === undefined ? null : `/blueprints/${blueprint.id}`,
      label: `Open ${blueprint?.name ?? ""}`,
    },
    { text: "Open the big screen on the projector.", to: session && `${room}/stage`, label: "Big screen" },
    {
      text: "Share the QR code or the link, and press Start.",
      to: session && `${room}/admin`,
      label: "Control room",
    },
  ];
  const nextAt = steps.findIndex(({ done = false }) => !done);
  return (
    <Panel title="Your first show" body="stack">
      <ol className="stack">
        {steps.map(({ done = false, text, to, label }, at) => (
          <li className="row" key={text} aria-current={at === nextAt ? "step" : undefined}>
            <span className="pill num">{done ? <Icon name="tick" size="s" /> : at + 1}</span>
            <span className={at === nextAt ? "grow strong" : "grow ink2"}>
              {done ? `Done: ${text}` : text}
            </span>
            {to == null || done ? null : (
              <Link className={at === nextAt ? "btn primary" : "btn"} to={to}>
                {label}
              </Link>
            )}
          </li>
        ))}
      </ol>
      <p className="small ink2">
        {fill(say`You are ${viewer?.username ?? ""} on every screen. {change}`, {
          change: <Link to="/profile/details">Change your name</Link>,
        })}
      </p>
    </Panel>
  );
}
