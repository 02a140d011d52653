import { useCallback, useState } from "react";
import {
  Link,
  useActionData,
  useLoaderData,
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
} from "react-router";
import { ApiError } from "#client/base/api/api.ts";
import { defer } from "#client/base/deferred/defer.ts";
import type { Deferred } from "#client/base/deferred/deferred.ts";
import { countOf } from "#client/base/format/count.ts";
import { formatClock } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import * as words from "#client/base/format/words.ts";
import { usePolling } from "#client/base/live/use-polling.ts";
import { useApi, apiContext, pageContext } from "#client/base/page/context.ts";
import { fill } from "#client/ui/fill.tsx";
import { seeOther } from "#client/ui/forms/answer-form.ts";
import { readForm } from "#client/ui/forms/read-form.ts";
import { refuseForm } from "#client/ui/forms/refused-in-form.ts";
import type { Refused } from "#client/ui/forms/refused.ts";
import { Icon } from "#client/ui/icon.tsx";
import { Note } from "#client/ui/note.tsx";
import { PageLayout, Panel } from "#client/ui/page-layout.tsx";
import { Pill } from "#client/ui/pill.tsx";
import { Moment } from "#client/ui/time.tsx";
import { useIsAdmin } from "#client/ui/use-is-admin.ts";
import { WhenLoaded } from "#client/ui/when-loaded.tsx";
import { say } from "#src/http/contract.ts";
import { checkTitles } from "#src/operate/checks/contract.ts";
import type { OperationsAnswer, OperationsView, TroubleView } from "#src/operate/operations/schemas.ts";
import { RoomPanel } from "./room-panel.tsx";
import {
  FailingRowsPanel,
  LateTimers,
  QueuesPanel,
  waitingIn,
  WaitsPanel,
  lateTime,
  mailName,
  queueDashboard,
} from "./work-panels.tsx";

const switchTexts: Readonly<Record<string, (name: string) => string>> = {
  pause_queue: (name) => `The queue ${name} was paused`,
  resume_queue: (name) => `The queue ${name} was resumed`,
  create_webhook: (name) => say`The webhook ${name} was created`,
  change_webhook: (name) => say`The webhook ${name} was changed`,
  disable_webhook: (name) => say`The webhook ${name} was switched off after a day of failures`,
  delete_webhook: (name) => say`The webhook ${name} was deleted`,
  rotate_webhook_secret: (name) => say`The webhook ${name} got a new secret`,
};

/** What players notice of it, by part. Of the others they notice nothing. */
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
  disk: "New pictures are refused.",
  storage: "Pictures are missing or late, and new ones are refused.",
  payments: "They cannot pay in, and refunds wait. The game goes on.",
  smtp: "Mails do not arrive.",
  mails: "Links that confirm an address or set a password do not arrive.",
  pushes: "Messages do not reach phones whose page is closed.",
};

const HAPPENED_MAX = 15;
const ASK_EVERY_MS = 3_000;
const ANSWER_WITHIN_MS = 5_000;

/** The operators' home: whether anything is wrong, what waits, what has happened, and what can be done. */
export function OperationsScreen() {
  const { answer } = useLoaderData<OperationsData>();
  return (
    <PageLayout
      title={words.operations}
      actions={
        <a className="btn" href="/admin/queues">
          {queueDashboard}
        </a>
      }
    >
      <WhenLoaded data={answer}>{(loaded) => <Operations loaded={loaded} />}</WhenLoaded>
    </PageLayout>
  );
}

function Operations({ loaded }: { loaded: OperationsAnswer }) {
  const refusal = useActionData<Refused>();
  const { operations, oldBecause } = useOperations(loaded);
  const { queues, lateTimers, failingRows = [], books, seal, mails } = operations;
  return (
    <>
      <NowPanel operations={operations} oldBecause={oldBecause} attention={attentionOf(operations)} />
      <div className="split">
        <div className="stack wide">
          <WaitsPanel operations={operations} />
          <LateTimers timers={lateTimers} />
          <FailingRowsPanel rows={failingRows} />
          <GivenUpMails mails={mails} />
          {queues === null ? null : <QueuesPanel counts={queues.counts} refusal={refusal} />}
        </div>
        <div className="stack wide">
          <HistoryPanel operations={operations} />
          <RoomPanel room={operations.room} />
          <BooksPanel books={books} seal={seal} />
        </div>
      </div>
    </>
  );
}

/** What wants a look though every part works: all that stands below as waiting, failing or given up, and checks that are due. */
function attentionOf(operations: OperationsView): number {
  const { queues, books, mails, failingRows = [] } = operations;
  const failed = queues?.failed.filter(({ isOpen }) => isOpen !== false).length ?? 0;
  const waiting = Object.values(waitingIn(operations)).filter((count) => count > 0).length;
  return (
    waiting + failed + failingRows.length + mails.failed + books.differencesCount + (books.overdue ? 1 : 0)
  );
}

/** The mails that were given up; without one there is no panel. */
function GivenUpMails({ mails: { failed, rows } }: Pick<OperationsView, "mails">) {
  const isAdmin = useIsAdmin();
  if (failed === 0) return null;
  return (
    <Panel title="Mails that were given up" aside={failed}>
      <ul className="list">
        {rows.map(({ id, kind, failedAt, error, userId }) => (
          <li key={id} className="operation">
            <div className="grow">
              <b className="small">{mailName(kind)}</b>
              <p className="small ink2 wrap-anywhere">
                {fill("Given up {at}: {reason}", { at: <Moment at={failedAt} />, reason: error })}
              </p>
            </div>
            {isAdmin && userId !== null ? (
              <Link className="btn sm" to={`/users/${userId}`}>
                {words.player}
              </Link>
            ) : null}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** The last check of the books, and the newest seal over them. */
function BooksPanel({ books, seal }: Pick<OperationsView, "books" | "seal">) {
  const { checkedAt, differencesCount, overdue } = books;
  return (
    <Panel title="Books" aside={<Link to="/admin/books">Open the books</Link>}>
      <div className="body stack">
        {checkedAt === null ? (
          <p>Not checked yet.</p>
        ) : (
          <Note tone={differencesCount === 0 ? "ok" : "bad"}>
            {differencesCount === 0
              ? "In balance."
              : `${countOf(differencesCount, "check")} found a difference.`}{" "}
            {fill("Checked {at}.", { at: <Moment at={checkedAt} /> })}
          </Note>
        )}
        {overdue ? (
          <Note tone="warn">The schedule has not checked them for long. Look whether the worker runs.</Note>
        ) : null}
        <div>
          <b className="small">Newest seal</b>
          {seal === null ? (
            <p className="small ink2">Nothing is sealed yet.</p>
          ) : (
            <>
              <p className="small mono wrap-anywhere">{seal.hash}</p>
              <p className="small ink2">
                {fill("Keep it elsewhere: it proves later that nothing before it was changed. Sealed {at}.", {
                  at: <Moment at={seal.sealedAt} />,
                })}
              </p>
            </>
          )}
        </div>
      </div>
    </Panel>
  );
}

type Known = {
  operations: OperationsView;
  /** Why there are no newer figures; "" if that is not known, null if these are new. */
  oldBecause: string | null;
};
type Asked = Known & { since: OperationsAnswer };

/**
 * The newest figures: asked for again every 3 s while the page is visible. Without an answer the last ones stay, and are old.
 * @param loaded what the page was loaded with, or loaded again after something was done.
 */
function useOperations(loaded: OperationsAnswer): Known {
  const api = useApi();
  const [asked, setAsked] = useState<Asked | null>(null);
  const known = asked?.since === loaded ? asked : { ...loaded, oldBecause: null };
  const ask = useCallback(() => {
    api.get("/api/v1/operations", { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }).then(
      ({ operations }) => setAsked({ since: loaded, operations, oldBecause: null }),
      (error: unknown) =>
        setAsked((last) => ({
          since: loaded,
          operations: last?.since === loaded ? last.operations : loaded.operations,
          oldBecause: (error instanceof ApiError ? error.body?.detail : null) ?? "",
        })),
    );
  }, [api, loaded]);
  usePolling(ask, { everyMs: ASK_EVERY_MS, enabled: true, whenVisible: true });
  return known;
}

type NowProps = { operations: OperationsView; oldBecause: string | null; attention: number };

/** Whether anything is wrong, what players notice of it, and what to do: one row for each cause. */
function NowPanel({ operations, oldBecause, attention }: NowProps) {
  const { serverTime } = operations;
  // What was wrong then says nothing about now.
  const troubles = oldBecause === null ? (operations.troubles ?? []) : [];
  const zone = useTimeZone();
  const at = <time dateTime={serverTime}>{formatClock(serverTime, zone)}</time>;
  const isNoticed = troubles.some(({ part }) => part in noticedText);
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
        {troubles.map((trouble) => (
          <Trouble key={`${trouble.part} ${trouble.process}`} trouble={trouble} />
        ))}
      </ul>
    </Panel>
  );
}

type SummaryProps = { troubles: number; isNoticed: boolean; attention: number };

function Summary({ troubles, isNoticed, attention }: SummaryProps) {
  if (troubles > 0)
    return (
      <Note tone={isNoticed ? "bad" : "warn"}>
        {`${countOf(troubles, "thing")} ${troubles === 1 ? "is" : "are"} wrong.`}{" "}
        {isNoticed ? "Players notice it." : "Players notice nothing of it."}
      </Note>
    );
  return attention === 0 ? (
    <Note tone="ok">All is well: every part works, nothing waits, and players notice nothing.</Note>
  ) : (
    <Note tone="warn">{`Every part works, and ${countOf(attention, "thing")} below ${attention === 1 ? "wants" : "want"} a look.`}</Note>
  );
}

function Trouble({ trouble }: { trouble: TroubleView }) {
  const { part, process, what, detail, cure, since, follows = [] } = trouble;
  const noticed = noticedText[part];
  const effects = follows.map((each) => `${checkTitles[each.what] ?? each.what}. ${each.detail ?? ""}`);
  return (
    <li className="trouble">
      <Icon name="warning" className={noticed === undefined ? "warn" : "bad"} />
      <div className="grow">
        <b>{checkTitles[what] ?? what}</b>
        <p className="small">{cure}</p>
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
          {fill(process === null ? "Since {at}" : `Since {at}, ${process}`, { at: <Moment at={since} /> })}
        </p>
      </div>
    </li>
  );
}

type Happened = { at: string; text: string; isRelease?: boolean };

/** What has happened lately, the newest first: starts and releases, what was switched, what was wrong and is over. */
function HistoryPanel({ operations }: { operations: OperationsView }) {
  const all = [...startsOf(operations), ...switchesOf(operations), ...oversOf(operations)]
    .toSorted((one, other) => other.at.localeCompare(one.at))
    .slice(0, HAPPENED_MAX);
  return (
    <Panel title="What has happened">
      {all.length === 0 ? <p className="body ink2 small">Nothing is on record yet.</p> : null}
      <ul className="list">
        {all.map(({ at, text, isRelease = false }) => (
          <li key={`${at} ${text}`} className="dense">
            <span className="grow small">
              {text}
              {isRelease ? (
                <Pill icon="up" tone="outline">
                  New release
                </Pill>
              ) : null}
            </span>
            <span className="push small ink2">
              <Moment at={at} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** A process whose release is another one than that of the start before it says so. */
function startsOf({ starts }: OperationsView): Happened[] {
  return starts.map(({ process, pid, release = null, startedAt }, index) => {
    const before = starts[index + 1]?.release ?? null;
    return {
      at: startedAt,
      text:
        release === null
          ? `${process} has started (process ${pid})`
          : `${process} has started with release ${release} (process ${pid})`,
      isRelease: release !== null && before !== null && release !== before,
    };
  });
}

function switchesOf({ switches = [] }: OperationsView): Happened[] {
  return switches.map(({ action, name, at }) => ({
    at,
    text: switchTexts[action]?.(name) ?? `${action.replaceAll("_", " ")} ${name}`.trim(),
  }));
}

function oversOf({ pastTroubles = [] }: OperationsView): Happened[] {
  return pastTroubles.map(({ what, process, since, endedAt }) => {
    const title = checkTitles[what] ?? what;
    const where = process === null ? title : `${title} (${process.split(" ")[0]})`;
    return {
      at: endedAt,
      text: `${where}: over after ${lateTime(Date.parse(endedAt) - Date.parse(since))}`,
    };
  });
}

const NOT_FOUND = 404;

type OperationsData = { answer: Deferred<OperationsAnswer> };

/** What runs behind the game. For everybody but admins and operators there is no such page. */
export async function loadOperations(args: LoaderFunctionArgs): Promise<OperationsData> {
  const { context, request } = args;
  requireStaff(context);
  const api = context.get(apiContext);
  return { answer: await defer(args, () => api.get("/api/v1/operations", { signal: request.signal })) };
}

/** Pauses or resumes a queue, or sends what waits, then shows the page again. Whether the viewer may is decided by the API. */
export async function actOnOperations({ context, request }: ActionFunctionArgs) {
  requireStaff(context);
  const { intent, queue } = readForm(await request.formData(), { intent: "text", queue: "text" } as const);
  const api = context.get(apiContext);
  if (intent === "send_waiting") {
    await api.post("/api/v1/operations/waiting/send");
    return seeOther("/admin");
  }
  if (intent !== "pause" && intent !== "resume") throw data(null, { status: 400 });
  try {
    await api.post(`/api/v1/operations/queues/${encodeURIComponent(queue)}/${intent}`);
  } catch (error) {
    return refuseForm<Refused>(error, {});
  }
  return seeOther("/admin");
}

/** @throws 404 for everybody else. */
function requireStaff(context: LoaderFunctionArgs["context"]): void {
  const roles = context.get(pageContext).viewer?.roles ?? [];
  if (!roles.includes("admin") && !roles.includes("operator")) throw data(null, { status: NOT_FOUND });
}
