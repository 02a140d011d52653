import { type ReactNode, useCallback, useState } from "react";
import { Link, useActionData, useLoaderData, useSearchParams, data } from "react-router";
import { ApiError, type Api, nullAt } from "#client/base/api/api.ts";
import { defer } from "#client/base/deferred/defer.ts";
import type { Deferred } from "#client/base/deferred/deferred.ts";
import { countOf } from "#client/base/format/count.ts";
import { formatMoney } from "#client/base/format/money.ts";
import { formatClock } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import * as words from "#client/base/format/words.ts";
import { usePolling } from "#client/base/live/use-polling.ts";
import { useApi, pageContext } from "#client/base/page/context.ts";
import type { LoaderArgs } from "#client/base/page/handle.ts";
import { fill } from "#client/ui/fill.tsx";
import { formAction } from "#client/ui/forms/form-action.ts";
import type { FormOf } from "#client/ui/forms/read-form.ts";
import type { Refused } from "#client/ui/forms/refused.ts";
import { Icon } from "#client/ui/icon.tsx";
import { Note } from "#client/ui/note.tsx";
import { PageLayout, Panel } from "#client/ui/page-layout.tsx";
import { Table } from "#client/ui/table.tsx";
import { ExactMoment } from "#client/ui/time.tsx";
import { WhenLoaded } from "#client/ui/when-loaded.tsx";
import type { SiteSpending } from "#src/money/spending/schemas.ts";
import { checkTitles } from "#src/operate/checks/contract.ts";
import type { OperationsAnswer, OperationsView, TroubleView } from "#src/operate/operations/schemas.ts";
import type { SwitchesAnswer } from "#src/operate/switches/schemas.ts";
import type { NewInvitationAnswer, InvitationsAnswer } from "#src/people/invitations/schemas.ts";
import { HappenedPanel, readBefore } from "./happened-panel.tsx";
import { InvitationsPanel } from "./invitations-panel.tsx";
import { QueuesPanel } from "./queues-panel.tsx";
import { SwitchesPanel } from "./switches-panel.tsx";
import { Cure, WorkPanel, workOf } from "./work-panels.tsx";

const siteFields = {
  switch: "text",
  reason: "optional",
  id: "text",
  usesMax: "number",
  validDays: "number",
} as const;

/** What players notice of it, by part, or by part and state. Of the others they notice nothing. */
const noticedText: Readonly<Record<string, string>> = {
  database: "They read that the game catches its breath, and nothing is lost.",
  migrations: "They read that the game catches its breath, and nothing is lost.",
  writes: "They see pages, and can neither call nor get paid.",
  rights: "What needs the right that is missing fails.",
  redis:
    "Pages and calls work. Pages ask every few seconds instead of being told, and timers are up to a second late.",
  broadcasts: "Pages and calls work. Pages ask every few seconds instead of being told.",
  processes:
    "Who is at this process waits. If it is the only worker, mails, push messages and new pictures wait.",
  worker: "Calls, closes and payments work. Mails, push messages and new pictures wait.",
  transactions: "Calls and closes of what it holds wait.",
  rows: "Who it is about waits for it.",
  timers: "An action does not open, close or get its result in time.",
  settlements: "Who won waits for the money.",
  feed: "Pages show an old state for some seconds.",
  address: "They may not reach the page at all.",
  cable: "Pages and calls work. Pages ask every few seconds instead of being told.",
  proxy: "Guests may be turned away, because all share the limits of one address; or pages come late.",
  "disk full": "New pictures are refused.",
  storage: "Pictures are missing or late, and new ones are refused.",
  payments: "They cannot pay in, and refunds wait. The game goes on.",
  smtp: "Mails do not arrive.",
  mails: "Links that confirm an address or set a password do not arrive.",
  pushes: "Messages do not reach phones whose page is closed.",
};

const noticedOf = ({ what, part }: TroubleView) => noticedText[what] ?? noticedText[part];

const ASK_EVERY_MS = 3_000;
const ANSWER_WITHIN_MS = 5_000;

/** The operators' home: whether anything is wrong, what waits, what has happened, and what can be done. */
export function OperationsScreen() {
  const { answer, site, switches, invitations } = useLoaderData<OperationsData>();
  return (
    <PageLayout title={words.operations}>
      <WhenLoaded data={answer}>{(loaded) => <Operations loaded={loaded} />}</WhenLoaded>
      <SpendingPanel site={site} />
      {switches === null ? null : <SwitchesPanel loaded={switches} />}
      {invitations === null ? null : <InvitationsPanel loaded={invitations} />}
    </PageLayout>
  );
}

function Operations({ loaded }: { loaded: OperationsAnswer }) {
  const answer = useActionData<Refused | NewInvitationAnswer>();
  const refusal = answer !== undefined && "refusal" in answer ? answer : undefined;
  const { operations, oldBecause } = useOperations(loaded);
  const { queues, books, seal } = operations;
  const work = workOf(operations);
  const attention = work.length + (books.differencesCount > 0 || books.overdue ? 1 : 0);
  return (
    <div className="split operations">
      <NowPanel operations={operations} oldBecause={oldBecause} attention={attention} />
      <WorkPanel rows={work} refusal={refusal} />
      <HappenedPanel operations={operations} />
      <div className="stack">
        {queues === null ? null : <QueuesPanel counts={queues.counts} />}
        <RoomPanel room={operations.room} />
        <BooksPanel books={books} seal={seal} lastBackup={operations.lastBackup} />
      </div>
    </div>
  );
}

/** The last check of the books, the newest seal over them, and where the last backup has them. */
function BooksPanel({ books, seal, lastBackup }: Pick<OperationsView, "books" | "seal" | "lastBackup">) {
  const { checkedAt, differencesCount, overdue } = books;
  const tone = overdue ? "warn" : "ok";
  const found =
    differencesCount === 0 ? "In balance." : `${countOf(differencesCount, "check")} found a difference.`;
  return (
    <Panel title="Books" aside={<Link to="/admin/books">Open the books</Link>}>
      <div className="body stack small">
        <Note tone={differencesCount > 0 ? "bad" : tone}>
          {checkedAt === null
            ? "Not checked yet."
            : fill(`${found} Checked {at}.`, { at: <ExactMoment at={checkedAt} /> })}
          {overdue ? " The schedule has not checked them for long. Look whether the worker runs." : null}
        </Note>
        <p className="wrap-anywhere">
          {seal === null
            ? "Nothing is sealed yet."
            : fill("Sealed {at}. Keep this elsewhere, it proves later that nothing was changed: {hash}", {
                at: <ExactMoment at={seal.sealedAt} />,
                hash: <code>{seal.hash}</code>,
              })}
        </p>
        <p className="wrap-anywhere">
          {lastBackup === null || lastBackup === undefined
            ? "No backup of the night is known."
            : fill("Last good backup {at}: {place}", {
                at: <ExactMoment at={lastBackup.at} />,
                place: lastBackup.place ?? "written by an earlier release",
              })}
        </p>
      </div>
    </Panel>
  );
}

type Known = {
  operations: OperationsView;
  /** Why there are no newer figures; "" if that is not known, null if these are new. */
  oldBecause: string | null;
};
/** The newest figures, asked for while the page is visible. Without an answer the last ones stay. @param loaded what the page was loaded with. */
function useOperations(loaded: OperationsAnswer): Known {
  const api = useApi();
  const [asked, setAsked] = useState<(Known & { since: OperationsAnswer }) | null>(null);
  const known = asked?.since === loaded ? asked : { ...loaded, oldBecause: null };
  const [search] = useSearchParams();
  const before = readBefore(search);
  const ask = useCallback(() => {
    api.get("/api/v1/operations", { query: { before }, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }).then(
      ({ operations }) => setAsked({ since: loaded, operations, oldBecause: null }),
      (error: unknown) =>
        setAsked((last) => ({
          since: loaded,
          operations: last?.since === loaded ? last.operations : loaded.operations,
          oldBecause: (error instanceof ApiError ? error.body?.detail : null) ?? "",
        })),
    );
  }, [api, before, loaded]);
  usePolling(ask, { everyMs: ASK_EVERY_MS, enabled: true, whenVisible: true });
  return known;
}

/** Whether anything is wrong, what players notice of it, and what to do: one row for each cause. */
function NowPanel({ operations, oldBecause, attention }: Known & { attention: number }) {
  const { serverTime } = operations;
  // What was wrong then says nothing about now.
  const troubles = oldBecause === null ? (operations.troubles ?? []) : [];
  const zone = useTimeZone();
  const at = (
    <time dateTime={serverTime}>{`${formatClock(serverTime, zone)} (${zone.replaceAll("_", " ")})`}</time>
  );
  const isNoticed = troubles.some((trouble) => noticedOf(trouble) !== undefined);
  return (
    <Panel title="Is anything wrong?" aside={fill("As of {at}", { at })}>
      <div className="body stack">
        {oldBecause === null ? (
          <Summary troubles={troubles.length} isNoticed={isNoticed} attention={attention} />
        ) : (
          <Note tone="bad">
            {oldBecause === "" ? "The server does not answer." : oldBecause}{" "}
            {fill("What stands below is of {at}, and is asked for again every few seconds.", { at })}
          </Note>
        )}
      </div>
      <ul className="list">
        {troubles.map((trouble, index) => (
          <Trouble
            key={`${trouble.part} ${trouble.process}`}
            trouble={trouble}
            isFirst={index === 0}
            cure={<Cure part={trouble.part} operations={operations} />}
          />
        ))}
      </ul>
    </Panel>
  );
}

type SummaryProps = { troubles: number; isNoticed: boolean; attention: number };

function Summary({ troubles, isNoticed, attention }: SummaryProps) {
  const wrong = `${countOf(troubles, "thing")} ${troubles === 1 ? "is" : "are"} wrong.`;
  const wants = `${countOf(attention, "thing")} below ${attention === 1 ? "wants" : "want"} a look.`;
  if (troubles > 0 && isNoticed) return <Note tone="bad">{`${wrong} Players notice it.`}</Note>;
  if (troubles > 0) return <Note tone="warn">{`${wrong} Players notice nothing of it.`}</Note>;
  if (attention > 0) return <Note tone="warn">{`Every part works, and ${wants}`}</Note>;
  return <Note tone="ok">All is well: every part works, nothing waits, and players notice nothing.</Note>;
}

/** The first is open: the others are mostly its effects, and what waits is to be seen without scrolling. */
function Trouble({ trouble, isFirst, cure }: { trouble: TroubleView; isFirst: boolean; cure: ReactNode }) {
  const { part, process, what, detail, since, follows = [] } = trouble;
  const noticed = noticedOf(trouble);
  const effects = follows.map((each) => `${checkTitles[each.what] ?? each.what}. ${each.detail ?? ""}`);
  return (
    <li className="trouble" id={`trouble-${part}`}>
      <Icon name="warning" className={noticed === undefined ? "warn" : "bad"} />
      <details className="grow" open={isFirst}>
        <summary>
          <b>{checkTitles[what] ?? what}</b>
        </summary>
        <p className="small">{trouble.cure}</p>
        {noticed === undefined ? null : (
          <p className="small">
            <b>Players:</b> {noticed}
          </p>
        )}
        {effects.length === 0 ? null : (
          <p className="small wrap-anywhere">
            <b>What follows from it:</b> {effects.join(" ")}
          </p>
        )}
        {detail === null ? null : <p className="small ink2 wrap-anywhere detail">{detail}</p>}
        <p className="small ink2">
          {fill(process === null ? "Since {at}" : `Since {at}, ${process}`, {
            at: <ExactMoment at={since} />,
          })}
        </p>
        {cure}
      </details>
    </li>
  );
}

type OperationsData = { answer: Deferred<OperationsAnswer>; site: Deferred<SiteSpending | null> } & SiteData;

/** What runs behind the game. For everybody but admins and operators there is no such page. */
export async function loadOperations(args: LoaderArgs): Promise<OperationsData> {
  const { api, context, url } = args;
  requireStaff(context);
  const query = { before: readBefore(url.searchParams) };
  const [answer, site, ofSite] = await Promise.all([
    defer(args, () => api.get("/api/v1/operations", { query })),
    defer(args, () => api.get("/api/v1/spending/site").then(({ site }) => site, nullAt(404))),
    loadSite(args),
  ]);
  return { answer, site, ...ofSite };
}

/** Does what a button of the page says, then shows the page again. Whether the viewer may is decided by the API. */
export const actOnOperations = formAction(
  { intent: "text", queue: "text", job: "text", ...siteFields },
  async ({ intent, queue, job, ...ofSite }, { api, context }) => {
    requireStaff(context);
    const path = `/api/v1/operations/queues/${encodeURIComponent(queue)}` as const;
    if (intent === "send_waiting") await api.post("/api/v1/operations/waiting/send");
    else if (intent === "retry") await api.post(`${path}/jobs/${encodeURIComponent(job)}/retry`);
    else if (intent === "pause" || intent === "resume") await api.post(`${path}/${intent}`);
    else return actOnSite(api, intent, ofSite);
    return "/admin";
  },
);

/** @throws 404 for everybody else. */
function requireStaff(context: LoaderArgs["context"]): void {
  const roles = context.get(pageContext).viewer?.roles ?? [];
  if (!roles.includes("admin") && !roles.includes("operator")) throw data(null, { status: 404 });
}

const roomTitles: Readonly<Record<string, string>> = {
  disk: "Disk",
  database: "Database",
  connections: "Connections of Postgres",
  "redis-memory": "Memory of Redis",
  memory: "Memory",
  descriptors: "Open files",
};

/** What is left of what runs out, where the process that answers is. The text says it all, so the meter is for the eyes alone. */
function RoomPanel({ room = [] }: Pick<OperationsView, "room">) {
  return (
    <Panel title="Room left">
      <ul className="list">
        {room.map(({ what, of, text, usedShare }) => (
          <li key={`${what} ${of}`} className="operation">
            <div className="grow">
              <b className="small wrap-anywhere">{`${roomTitles[what] ?? what} ${of && `of ${of}`}`}</b>
              <p className="small ink2">{text}</p>
            </div>
            {usedShare === null ? null : <meter aria-hidden="true" value={1 - usedShare} />}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** What admins turn off for the whole site, and the invitations where accounts need one. Null: it is not shown. */
type SiteData = { switches: SwitchesAnswer | null; invitations: InvitationsAnswer | null };

async function loadSite({ api, context }: LoaderArgs): Promise<SiteData> {
  const isAdmin = context.get(pageContext).viewer?.roles.includes("admin") === true;
  if (!isAdmin) return { switches: null, invitations: null };
  const switches = await api.get("/api/v1/switches");
  const invitations = switches.registration === "invited" ? await api.get("/api/v1/invitations") : null;
  return { switches, invitations };
}

/** Does what a button about the site says. The link of a new invitation is in this answer only, so the page is not loaded again. */
async function actOnSite(
  api: Api,
  intent: string,
  { switch: name, reason, id, usesMax, validDays }: FormOf<typeof siteFields>,
): Promise<string | NewInvitationAnswer> {
  if (intent === "turn_on" || intent === "turn_off") {
    const change = { on: intent === "turn_on", ...(reason === undefined ? {} : { reason }) };
    await api.put(`/api/v1/switches/${encodeURIComponent(name)}`, { switch: change });
    return "/admin#switches";
  }
  if (intent === "revoke_invitation") {
    await api.delete(`/api/v1/invitations/${encodeURIComponent(id)}`);
    return "/admin#invitations";
  }
  if (intent !== "invite") throw data(null, { status: 400 });
  return api.post("/api/v1/invitations", { invitation: { usesMax, validDays } });
}

const DAYS_SHOWN = 7;

/** Deposits and breaks of the last days, and how many players are at a limit; nothing where payments are off. Names nobody. */
function SpendingPanel({ site }: { site: Deferred<SiteSpending | null> }) {
  return (
    <WhenLoaded data={site} loading={null} quiet>
      {(found) => (found === null ? null : <Sums site={found} />)}
    </WhenLoaded>
  );
}

function Sums({ site }: { site: SiteSpending }) {
  const { days, playersAtLimit, playersOnBreak } = site;
  return (
    <Panel title="Spending" aside={`${playersAtLimit} at a limit, ${playersOnBreak} on a break`}>
      <Table
        caption="Deposits and breaks by day"
        rows={days.slice(0, DAYS_SHOWN)}
        keyOf={({ day }) => day}
        columns={[
          { head: "Day", cell: ({ day }) => day },
          { head: "Deposits", cell: ({ depositsCount }) => depositsCount, end: true, verbatim: true },
          {
            head: "Paid in",
            cell: ({ depositedCents }) => formatMoney(depositedCents),
            end: true,
            verbatim: true,
          },
          { head: "Breaks begun", cell: ({ breaksBegun }) => breaksBegun, end: true, verbatim: true },
        ]}
      />
    </Panel>
  );
}
