import { useEffect, useRef, useState } from "react";
import type { Api } from "#client/base/api/api.ts";
import { useApi } from "#client/base/page/context.ts";
import { sessionPath } from "#client/sessions/load-session.ts";
import type { DecisionCheckAnswer, DecisionView } from "#src/replays/schemas.ts";
import { troubleText } from "./trouble-text.ts";

type Check = DecisionCheckAnswer["check"];
/** A decision with what its check has found; null before. */
export type CheckedDecision = DecisionView & { outcome: Check | { refusal: string } | null };

export type Checks =
  | { state: "idle" }
  | { state: "running" | "stopped" | "done"; decisions: readonly CheckedDecision[] }
  | { state: "failed"; refusal: string };

export type Checking = { checks: Checks; start: () => void; stop: () => void };

/** Checks all decisions of a session, one after the other, so that its progress is seen and the server has time for others. */
export function useChecks(slug: string): Checking {
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
