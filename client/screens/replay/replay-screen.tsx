import "#client/styles/replay/replay.css";
import { useEffect, useRef, useState } from "react";
import { useLoaderData } from "react-router";
import { type Api, ApiError, endingWith } from "#client/base/api/api.ts";
import { countOf } from "#client/base/format/count.ts";
import { formatMoney } from "#client/base/format/money.ts";
import * as words from "#client/base/format/words.ts";
import { useApi } from "#client/base/page/context.ts";
import type { ScreenInChunk, LoaderArgs } from "#client/base/page/handle.ts";
import { sessionPath } from "#client/sessions/load-session.ts";
import { EmptyPanel } from "#client/ui/empty-state.tsx";
import { refusalText } from "#client/ui/forms/refused.ts";
import { Note } from "#client/ui/note.tsx";
import { PageLayout, Panel } from "#client/ui/page-layout.tsx";
import type { EventResult } from "#db/lists/events.ts";
import { labelsOf } from "#src/base/contract.ts";
import type { DecisionCheckAnswer, DecisionView, ReplayStep, ReplayView } from "#src/replays/schemas.ts";
import { Player } from "./player.tsx";
import { createTimeline, type Timeline } from "./timeline.ts";

const checkAllText = "Recompute everything";

const download = "Download";

/** The replay, in a chunk of its own: few viewers open it. */
export const replayScreen = { Component: ReplayScreen, loader: loadReplay } satisfies ScreenInChunk;

/** A session at each second of it: its actions, their pools, and the leaders. Admins also see who did what, and can check all payouts. */
export function ReplayScreen() {
  const head = useLoaderData<ReplayHead>();
  return (
    <PageLayout title={words.replay} actions={<Downloads slug={head.slug} />}>
      <p className="panel pad needs-script">
        The replay needs JavaScript. The downloads have everything that it shows.
      </p>
      {/* The key resets all state when another session is opened. */}
      <WholeReplay key={head.slug} head={head} />
      {head.full ? <CheckAll slug={head.slug} /> : null}
    </PageLayout>
  );
}

function Downloads({ slug }: { slug: string }) {
  const address = (format: string) =>
    `/api/v1/sessions/${encodeURIComponent(slug)}/replay/export?format=${format}`;
  return (
    <p className="row wrap downloads" role="group" aria-label={download}>
      <span className="small ink2" aria-hidden="true">
        {download}
      </span>
      <a className="btn sm" href={address("json")} download>
        JSON
      </a>
      <a className="btn sm" href={address("csv")} download>
        CSV
      </a>
    </p>
  );
}

function WholeReplay({ head }: { head: ReplayHead }) {
  const loading = useReplay(head);
  if (loading.state === "loading")
    return (
      <p className="panel pad small ink2 waiting" role="status">
        {loading.stepsCount === 0
          ? "Loading the replay..."
          : `Loading the replay: ${countOf(loading.stepsCount, "change")} so far...`}
      </p>
    );
  if (loading.state === "failed")
    return (
      <section className="panel pad stack">
        <Note tone="bad">The replay could not be loaded completely. {loading.refusal}</Note>
        <button className="btn" type="button" onClick={loading.retry}>
          {words.tryAgain}
        </button>
      </section>
    );
  const { timeline, names } = loading;
  if (timeline.steps.length === 0)
    return (
      <EmptyPanel icon="clock" title="Nothing has happened in this session yet">
        <p>Each change is recorded from now on.</p>
      </EmptyPanel>
    );
  return <Player timeline={timeline} names={names} full={head.full} />;
}

type LoadingReplay =
  | { state: "loading"; stepsCount: number }
  | { state: "failed"; refusal: string; retry: () => void }
  | { state: "loaded"; timeline: Timeline; names: ReadonlyMap<number, string> };

/** Fetches a replay in the browser, in parts. It is complete before anything of it is shown. */
function useReplay({ slug, until }: ReplayHead): LoadingReplay {
  const api = useApi();
  const [attempt, setAttempt] = useState(0);
  const [loading, setLoading] = useState<LoadingReplay>({ state: "loading", stepsCount: 0 });
  useEffect(() => {
    const stop = new AbortController();
    const onPart = ({ steps }: { steps: readonly unknown[] }) =>
      setLoading({ state: "loading", stepsCount: steps.length });
    fetchReplay(endingWith(stop.signal, api), { slug, until }, onPart).then(
      ({ steps, names }) => setLoading({ state: "loaded", timeline: createTimeline(steps), names }),
      (error: unknown) => {
        if (stop.signal.aborted) return;
        const refusal = troubleText(error);
        const retry = () => {
          setLoading({ state: "loading", stepsCount: 0 });
          setAttempt((before) => before + 1);
        };
        setLoading({ state: "failed", refusal, retry });
      },
    );
    return () => stop.abort();
  }, [api, slug, until, attempt]);
  return loading;
}

/** Lets an admin check all payouts of a session, with progress. */
function CheckAll({ slug }: { slug: string }) {
  const { checks, start, stop } = useChecks(slug);
  const running = checks.state === "running";
  return (
    <Panel title={checkAllText} body="stack">
      <p className="small ink2">
        Each decision is computed again by a second implementation of the formula, and compared with what was
        paid.
      </p>
      <div className="row wrap">
        <button className="btn primary" type="button" aria-busy={running} disabled={running} onClick={start}>
          {checkAllText}
        </button>
        {running ? (
          <button className="btn" type="button" onClick={stop}>
            Stop
          </button>
        ) : null}
      </div>
      <Summary checks={checks} />
      {"decisions" in checks && checks.decisions.length > 0 ? <List decisions={checks.decisions} /> : null}
    </Panel>
  );
}

function Summary({ checks }: { checks: Checks }) {
  if (checks.state === "idle") return null;
  if (checks.state === "failed") return <Note tone="bad">{checks.refusal}</Note>;
  const { state, decisions } = checks;
  const done = decisions.filter(({ outcome }) => outcome !== null).length;
  if (state === "running")
    return (
      <>
        <progress max={Math.max(1, decisions.length)} value={done} aria-label={checkAllText} />
        {/* The progress bar is read on demand; only its end is announced. */}
        <p className="small ink2 num">{`${done} of ${decisions.length} checked...`}</p>
      </>
    );
  if (state === "stopped") return <Note>{`Stopped after ${done} of ${decisions.length}.`}</Note>;
  return <Verdict decisions={decisions} />;
}

function Verdict({ decisions }: { decisions: readonly CheckedDecision[] }) {
  if (decisions.length === 0) return <Note>Nothing was decided in this session yet.</Note>;
  const found = decisions.flatMap(({ outcome }) =>
    outcome === null || "refusal" in outcome ? [] : [outcome],
  );
  const differing = found.filter(({ differencesCount }) => differencesCount > 0).length;
  const unchecked = decisions.length - found.length;
  if (differing > 0) return <Note tone="bad">{`${countOf(differing, "decision")} with differences.`}</Note>;
  if (unchecked > 0)
    return <Note tone="warn">{`${countOf(unchecked, "decision")} could not be checked.`}</Note>;
  const callsCount = found.reduce((sum, check) => sum + check.callsCount, 0);
  const paidCents = paidInForce(decisions);
  return (
    <Note tone="ok">{`All payouts match: ${countOf(found.length, "decision")}, ${countOf(callsCount, "call")}, ${formatMoney(paidCents)}.`}</Note>
  );
}

/** What the decisions in force have paid. Those that were replaced have paid nothing that lasts. */
function paidInForce(decisions: readonly CheckedDecision[]): number {
  return decisions.reduce((sum, { superseded, outcome }) => {
    return superseded || outcome === null || "refusal" in outcome ? sum : sum + outcome.paidCents;
  }, 0);
}

const resultWord = labelsOf<EventResult>({ true: "True", false: "False", void: "Void" });

function describeDecision({ version, result, round, superseded }: CheckedDecision): string {
  const inRound = round === 1 ? [] : [`round ${round}`];
  const label = `${version === 1 ? "Result" : "Corrected to"} ${resultWord(result)}`;
  return [label, ...inRound, ...(superseded ? ["replaced later"] : [])].join(", ");
}

function List({ decisions }: { decisions: readonly CheckedDecision[] }) {
  return (
    <ol className="checks small" aria-label="Decisions and their checks">
      {decisions.map((decision) => (
        <li key={decision.id}>
          <span className="wrap-anywhere">
            <b>{decision.eventTitle}</b> <span className="ink2">{describeDecision(decision)}</span>
          </span>
          <Outcome outcome={decision.outcome} />
        </li>
      ))}
    </ol>
  );
}

function Outcome({ outcome }: Pick<CheckedDecision, "outcome">) {
  if (outcome === null) return <span className="muted">Not checked yet</span>;
  if ("refusal" in outcome) return <span className="differs">{outcome.refusal}</span>;
  const { callsCount, paidCents, differencesCount, differences } = outcome;
  if (differencesCount === 0)
    return (
      <span className="num">
        {callsCount === 0
          ? "Nobody had called"
          : `${countOf(callsCount, "call")}, ${formatMoney(paidCents)}: all match`}
      </span>
    );
  const further = differencesCount - differences.length;
  return (
    <span className="differs num">
      {`${countOf(differencesCount, "call")} got another amount than the formula gives`}
      <ul>
        {differences.map((each) => (
          <li
            key={each.callId}
          >{`Call ${each.callId} got ${formatMoney(each.paidCents)}; the formula gives ${formatMoney(each.expectedCents)}.`}</li>
        ))}
        {further > 0 ? <li>{`And ${further} more.`}</li> : null}
      </ul>
    </span>
  );
}

/** A decision with what its check has found; null before. */
type CheckedDecision = DecisionView & { outcome: DecisionCheckAnswer["check"] | { refusal: string } | null };

type Checks =
  | { state: "idle" }
  | { state: "running" | "stopped" | "done"; decisions: readonly CheckedDecision[] }
  | { state: "failed"; refusal: string };

/** Checks all decisions of a session, one after the other, so that its progress is seen and the server has time for others. */
function useChecks(slug: string): { checks: Checks; start: () => void; stop: () => void } {
  const api = useApi();
  const [checks, setChecks] = useState<Checks>({ state: "idle" });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const start = () => {
    running.current?.abort();
    const stop = new AbortController();
    running.current = stop;
    setChecks({ state: "running", decisions: [] });
    void checkAll(endingWith(stop.signal, api), slug, (next) => {
      if (!stop.signal.aborted) setChecks(next);
      return !stop.signal.aborted;
    });
  };
  const stop = () => {
    running.current?.abort();
    setChecks((before) => (before.state === "running" ? { ...before, state: "stopped" } : before));
  };
  return { checks, start, stop };
}

/** @param show is given what is known so far, and says whether to go on. */
async function checkAll(api: Api, slug: string, show: (checks: Checks) => boolean): Promise<void> {
  try {
    const answer = await api.get(`${sessionPath(slug)}/decisions`);
    let decisions: readonly CheckedDecision[] = answer.decisions.map((each) => ({ ...each, outcome: null }));
    for (const { id } of answer.decisions) {
      if (!show({ state: "running", decisions })) return;
      const outcome = await checkOne(api, id);
      decisions = decisions.map((each) => (each.id === id ? { ...each, outcome } : each));
    }
    show({ state: "done", decisions });
  } catch (error) {
    show({ state: "failed", refusal: troubleText(error) });
  }
}

/** A decision that cannot be checked does not keep the others from it. */
async function checkOne(api: Api, id: number): Promise<CheckedDecision["outcome"]> {
  try {
    return (await api.get(`/api/v1/decisions/${id}/recomputation`)).check;
  } catch (error) {
    return { refusal: troubleText(error) };
  }
}

/** What a replay is, without its steps: the browser fetches those, because they can be megabytes. */
type ReplayHead = Omit<ReplayView, "steps" | "players" | "next">;

/** Loads the head of a replay. The API decides who may see it. */
export async function loadReplay({ api, params }: LoaderArgs): Promise<ReplayHead> {
  const slug = params["slug"] ?? "";
  const query = { head: "true" };
  const { replay } = await api.get(`${sessionPath(slug)}/replay`, { query });
  const { steps: _steps, players: _players, next: _next, ...head } = replay;
  return head;
}

type LoadedReplay = { steps: readonly ReplayStep[]; names: ReadonlyMap<number, string> };

/** Fetches all parts of a replay, one after the other. @param onPart is called with what is there after each part. */
async function fetchReplay(
  api: Api,
  { slug, until }: Pick<ReplayHead, "slug" | "until">,
  onPart: (loaded: LoadedReplay) => void,
): Promise<LoadedReplay> {
  const steps: ReplayStep[] = [];
  const names = new Map<number, string>();
  for (let after: string | null | undefined; after !== null;) {
    const part: ReplayView = await fetchPart(api, { slug, after, until });
    steps.push(...part.steps);
    for (const { id, username } of part.players) names.set(id, username);
    after = part.next;
    onPart({ steps, names });
  }
  return { steps, names };
}

type PartQuery = { slug: string; after: string | undefined; until: string };

async function fetchPart(api: Api, { slug, ...query }: PartQuery): Promise<ReplayView> {
  return (await api.get(`${sessionPath(slug)}/replay`, { query })).replay;
}

/** Why something could not be fetched, for people. */
function troubleText(error: unknown): string {
  return error instanceof ApiError ? refusalText(error) : "The server did not answer.";
}
