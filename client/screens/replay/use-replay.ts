import { useEffect, useState } from "react";
import { useApi } from "#client/base/page/context.ts";
import { createTimeline, type Timeline } from "#src/replays/contract.ts";
import { fetchReplay, type ReplayHead } from "./load-replay.ts";
import { troubleText } from "./trouble-text.ts";

export type LoadingReplay =
  | { state: "loading"; stepsCount: number }
  | { state: "failed"; refusal: string; retry: () => void }
  | { state: "loaded"; timeline: Timeline; names: ReadonlyMap<number, string> };

/** Fetches a replay in the browser, in parts. It is complete before anything of it is shown. */
export function useReplay({ slug, until }: ReplayHead): LoadingReplay {
  const api = useApi();
  const [attempt, setAttempt] = useState(0);
  const [loading, setLoading] = useState<LoadingReplay>({ state: "loading", stepsCount: 0 });
  useEffect(() => {
    const stop = new AbortController();
    const onPart = ({ steps }: { steps: readonly unknown[] }) =>
      setLoading({ state: "loading", stepsCount: steps.length });
    fetchReplay(api, { slug, until }, { onPart, signal: stop.signal }).then(
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
