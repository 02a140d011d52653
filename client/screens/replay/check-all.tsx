import { useEffect, useRef, useState } from "react";
import type { Api } from "#client/base/api/api.ts";
import { useApi } from "#client/base/page/context.ts";
import { sessionPath } from "#client/sessions/load-session.ts";
import { Note } from "#client/ui/note.tsx";
import { Panel } from "#client/ui/page-layout.tsx";
import type { DecisionCheckAnswer, DecisionView } from "#src/replays/schemas.ts";
import * as texts from "./replay-texts.ts";
import { troubleText } from "./trouble-text.ts";

/** Lets an admin check all payouts of a session, with progress. */
export function CheckAll({ slug }: { slug: string }) {
  const { checks, start, stop } = useChecks(slug);
  const running = checks.state === "running";
  return (
    <Panel title={texts.checkAll}>
      <div className="body stack">
        <p className="small ink2">{texts.checkAllHint}</p>
        <div className="row wrap">
          <button
            className="btn primary"
            type="button"
            aria-busy={running}
            disabled={running}
            onClick={start}
          >
            {texts.checkAll}
          </button>
          {running ? (
            <button className="btn" type="button" onClick={stop}>
              {texts.stopChecking}
            </button>
          ) : null}
        </div>
        <Summary checks={checks} />
        {"decisions" in checks && checks.decisions.length > 0 ? <List decisions={checks.decisions} /> : null}
      </div>
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
        <progress max={Math.max(1, decisions.length)} value={done} aria-label={texts.checkAll} />
        {/* The progress bar is read on demand; only its end is announced. */}
        <p className="small ink2 num">{texts.checking(done, decisions.length)}</p>
      </>
    );
  if (state === "stopped") return <Note>{texts.stopped(done, decisions.length)}</Note>;
  return <Verdict decisions={decisions} />;
}

function Verdict({ decisions }: { decisions: readonly CheckedDecision[] }) {
  if (decisions.length === 0) return <Note>{texts.nothingDecided}</Note>;
  const found = decisions.flatMap(({ outcome }) =>
    outcome === null || "refusal" in outcome ? [] : [outcome],
  );
  const differing = found.filter(({ differencesCount }) => differencesCount > 0).length;
  const unchecked = decisions.length - found.length;
  if (differing > 0) return <Note tone="bad">{texts.someDiffer(differing)}</Note>;
  if (unchecked > 0) return <Note tone="warn">{texts.someUnchecked(unchecked)}</Note>;
  const callsCount = found.reduce((sum, check) => sum + check.callsCount, 0);
  const paidCents = paidInForce(decisions);
  return <Note tone="ok">{texts.allMatch(found.length, callsCount, paidCents)}</Note>;
}

/** What the decisions in force have paid. Those that were replaced have paid nothing that lasts. */
function paidInForce(decisions: readonly CheckedDecision[]): number {
  return decisions.reduce((sum, { superseded, outcome }) => {
    return superseded || outcome === null || "refusal" in outcome ? sum : sum + outcome.paidCents;
  }, 0);
}

function describeDecision({ version, result, round, superseded }: CheckedDecision): string {
  const inRound = round === 1 ? [] : [texts.inRound(round)];
  return [texts.decision(version, result), ...inRound, ...(superseded ? [texts.replaced] : [])].join(", ");
}

function List({ decisions }: { decisions: readonly CheckedDecision[] }) {
  return (
    <ol className="checks small" aria-label={texts.decisions}>
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
  if (outcome === null) return <span className="muted">{texts.waits}</span>;
  if ("refusal" in outcome) return <span className="differs">{outcome.refusal}</span>;
  const { callsCount, paidCents, differencesCount, differences } = outcome;
  if (differencesCount === 0) return <span className="num">{texts.matches(callsCount, paidCents)}</span>;
  const further = differencesCount - differences.length;
  return (
    <span className="differs num">
      {texts.differ(differencesCount)}
      <ul>
        {differences.map((each) => (
          <li key={each.callId}>{texts.difference(each.callId, each.paidCents, each.expectedCents)}</li>
        ))}
        {further > 0 ? <li>{texts.furtherDifferences(further)}</li> : null}
      </ul>
    </span>
  );
}

type Check = DecisionCheckAnswer["check"];

/** A decision with what its check has found; null before. */
type CheckedDecision = DecisionView & { outcome: Check | { refusal: string } | null };

type Checks =
  | { state: "idle" }
  | { state: "running" | "stopped" | "done"; decisions: readonly CheckedDecision[] }
  | { state: "failed"; refusal: string };

type Checking = { checks: Checks; start: () => void; stop: () => void };

/** Checks all decisions of a session, one after the other, so that its progress is seen and the server has time for others. */
function useChecks(slug: string): Checking {
  const api = useApi();
  const [checks, setChecks] = useState<Checks>({ state: "idle" });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const start = () => {
    running.current?.abort();
    const stop = new AbortController();
    running.current = stop;
    setChecks({ state: "running", decisions: [] });
    const show = (next: Checks) => {
      if (!stop.signal.aborted) setChecks(next);
    };
    void checkAll(api, { slug, signal: stop.signal, show });
  };
  const stop = () => {
    running.current?.abort();
    setChecks((before) => (before.state === "running" ? { ...before, state: "stopped" } : before));
  };
  return { checks, start, stop };
}

type Run = { slug: string; signal: AbortSignal; show: (checks: Checks) => void };

async function checkAll(api: Api, { slug, signal, show }: Run): Promise<void> {
  try {
    const answer = await api.get(`${sessionPath(slug)}/decisions`, { signal });
    let decisions: readonly CheckedDecision[] = answer.decisions.map((each) => ({ ...each, outcome: null }));
    for (const { id } of answer.decisions) {
      show({ state: "running", decisions });
      const outcome = await checkOne(api, id, signal);
      if (signal.aborted) return;
      decisions = decisions.map((each) => (each.id === id ? { ...each, outcome } : each));
    }
    show({ state: "done", decisions });
  } catch (error) {
    show({ state: "failed", refusal: troubleText(error) });
  }
}

/** A decision that cannot be checked does not keep the others from it. */
async function checkOne(api: Api, id: number, signal: AbortSignal): Promise<CheckedDecision["outcome"]> {
  try {
    return (await api.get(`/api/v1/decisions/${id}/recomputation`, { signal })).check;
  } catch (error) {
    return { refusal: troubleText(error) };
  }
}
