import { data, Link, useActionData, useLoaderData } from "react-router";
import { defer } from "#client/base/deferred/defer.ts";
import type { Deferred } from "#client/base/deferred/deferred.ts";
import { countOf } from "#client/base/format/count.ts";
import { groupBy } from "#client/base/format/group-by.ts";
import { pageIn } from "#client/base/format/page-in.ts";
import { formatDate } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import * as words from "#client/base/format/words.ts";
import { pageContext } from "#client/base/page/context.ts";
import type { LoaderArgs } from "#client/base/page/handle.ts";
import { CallRow } from "#client/calls/call-row.tsx";
import { useLiveReload } from "#client/results/use-live-reload.ts";
import { chooseTeamOf, loadTeams } from "#client/teams/load-teams.ts";
import { CHOOSE_TEAM, TeamsPanel } from "#client/teams/team-list.tsx";
import { EmptyPanel } from "#client/ui/empty-state.tsx";
import { formAction } from "#client/ui/forms/form-action.ts";
import type { Refused } from "#client/ui/forms/refused.ts";
import { List } from "#client/ui/list.tsx";
import { Note } from "#client/ui/note.tsx";
import { PageLayout, Panel } from "#client/ui/page-layout.tsx";
import { Pagination } from "#client/ui/pagination.tsx";
import { WhenLoaded } from "#client/ui/when-loaded.tsx";
import type { ListMeta } from "#src/http/schemas.ts";
import type { ListedCall, ReceiptAnswer } from "#src/play/calls/schemas.ts";
import type { TeamsAnswer } from "#src/play/teams/schemas.ts";
import { Receipt } from "./receipt.tsx";

const filterLabels: Record<HistoryFilter, string> = {
  all: "All",
  open: words.open,
  won: words.won,
  lost: words.lost,
  refunded: words.refunded,
};

const historyFilters = ["all", "open", "won", "lost", "refunded"] as const;

/** The viewer's calls in this session by day, and the receipt of the opened one, which is all that guests see. */
export function HistoryScreen() {
  const { page, filter, opened, teams } = useLoaderData<HistoryData>();
  const refused = useActionData<Refused>();
  useLiveReload({ balance: false });
  if (page === null) {
    return (
      <PageLayout title={words.receipt}>
        {opened === null ? null : (
          <div className="slim">
            <Receipt {...opened} />
          </div>
        )}
      </PageLayout>
    );
  }
  return (
    <PageLayout title={words.yourCalls}>
      <div className={opened === null ? "history" : "history split opened"}>
        <div className="stack all-calls">
          <nav className="row wrap" aria-label="Filter">
            {historyFilters.map((name) => (
              <FilterLink key={name} name={name} current={name === filter} />
            ))}
          </nav>
          {refused === undefined ? null : <Note tone="bad">{refused.refusal}</Note>}
          <WhenLoaded data={page}>
            {(loaded) => <Calls {...loaded} filter={filter} openedId={opened?.call.id ?? null} />}
          </WhenLoaded>
          {teams === null ? null : (
            <WhenLoaded data={teams} loading={null} quiet>
              {(answer) => (answer === null ? null : <TeamsPanel answer={answer} />)}
            </WhenLoaded>
          )}
        </div>
        {opened === null ? null : <Receipt {...opened} />}
      </div>
    </PageLayout>
  );
}

function FilterLink({ name, current }: { name: HistoryFilter; current: boolean }) {
  return (
    <Link
      className={current ? "chip on" : "chip"}
      to={name === "all" ? "?" : `?show=${name}`}
      aria-current={current ? "page" : undefined}
      preventScrollReset
    >
      {filterLabels[name]}
    </Link>
  );
}

type CallsProps = CallsPage & { filter: HistoryFilter; openedId: number | null };

function Calls({ calls, meta, filter, openedId }: CallsProps) {
  const zone = useTimeZone();
  const today = formatDate(meta.serverTime, zone);
  const days = groupBy(calls, (call) => formatDate(call.placedAt, zone));
  if (calls.length === 0) return <NoCalls filter={filter} />;
  return (
    <>
      {[...days].map(([day, ofDay]) => (
        <Day key={day} title={day === today ? `Today, ${day}` : day} calls={ofDay} openedId={openedId} />
      ))}
      {meta.totalPages > 1 ? (
        <p className="small ink2">{`${countOf(meta.totalCount, "call")} in all`}</p>
      ) : null}
      <Pagination meta={meta} />
    </>
  );
}

type DayProps = { title: string; calls: readonly ListedCall[]; openedId: number | null };

function Day({ title, calls, openedId }: DayProps) {
  return (
    <Panel title={title} aside={countOf(calls.length, "call")}>
      <List
        items={calls}
        row={(call) => <CallRow key={call.id} call={call} opened={call.id === openedId} />}
      />
    </Panel>
  );
}

function NoCalls({ filter }: { filter: HistoryFilter }) {
  return (
    <EmptyPanel
      icon="mark"
      title={filter === "all" ? "You have not called anything here yet" : "None of these"}
    >
      <p>Say what you think while a question is open, and it is on the record here.</p>
      <Link className="btn primary" to="..">
        {words.goToTheGame}
      </Link>
    </EmptyPanel>
  );
}

/** Puts the viewer into the team of the form, and shows the page again. */
export const actOnHistory = formAction({ intent: "text" }, async ({ intent }, { api, form, params, url }) => {
  if (intent !== CHOOSE_TEAM) throw data(null, { status: 400 });
  await chooseTeamOf(api, params["slug"], form);
  return url.pathname + url.search;
});

type HistoryFilter = (typeof historyFilters)[number];

type CallsPage = { calls: ListedCall[]; meta: ListMeta };
type HistoryData = {
  /** Null for guests: the history is for accounts, and a receipt is a part of the game. */
  page: Deferred<CallsPage> | null;
  filter: HistoryFilter;
  /** The opened call's receipt; null where none is open. */
  opened: ReceiptAnswer | null;
  /** The teams of the session; null where it has none, and for guests. */
  teams: Deferred<TeamsAnswer | null> | null;
};

/** The viewer's calls in this session, newest first (`?show=won&page=2`), and the receipt of the call in the path. */
export async function loadHistory(args: LoaderArgs): Promise<HistoryData> {
  const { api, context, params, url } = args;
  const search = url.searchParams;
  const filter = historyFilters.find((name) => name === search.get("show")) ?? "all";
  const callId = params["callId"];
  const guest = context.get(pageContext).viewer?.guest === true;
  const loadPage = () =>
    api.get("/api/v1/calls", {
      query: { sessionId: params["slug"], page: pageIn(search), ...queryOf(filter) },
    });
  const [page, opened, teams] = await Promise.all([
    guest ? null : defer(args, loadPage, `/sessions/${params["slug"]}/history`),
    callId === undefined ? null : api.get(`/api/v1/calls/${encodeURIComponent(callId)}`),
    guest ? null : defer(args, () => loadTeams(args)),
  ]);
  return { page, filter, opened, teams };
}

function queryOf(filter: HistoryFilter): { active?: boolean; outcome?: string } {
  if (filter === "all") return {};
  return filter === "open" ? { active: true } : { outcome: filter };
}
