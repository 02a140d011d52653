import { useEffect, useState } from "react";
import { useLoaderData } from "react-router";
import { useApi } from "#client/base/page/context.ts";
import { EmptyState } from "#client/ui/empty-state.tsx";
import { fill } from "#client/ui/fill.tsx";
import { Note } from "#client/ui/note.tsx";
import { PageLayout } from "#client/ui/page-layout.tsx";
import { Moment } from "#client/ui/time.tsx";
import { createTimeline, type Timeline } from "#src/replays/contract.ts";
import { CheckAll } from "./check-all.tsx";
import { fetchReplay, type ReplayHead } from "./load-replay.ts";
import { Player } from "./player.tsx";
import * as texts from "./replay-texts.ts";
import { troubleText } from "./trouble-text.ts";

/** A session at each second of it: its actions, their pools, and the leaders. Admins also see who did what, and can check all payouts. */
export function ReplayScreen() {
  const head = useLoaderData<ReplayHead>();
  return (
    <PageLayout title={texts.replay} actions={<Downloads slug={head.slug} />}>
      <Derived head={head} />
      <p className="panel pad needs-script">{texts.needsScript}</p>
      {/* The key resets all state when another session is opened. */}
      <LoadedReplay key={head.slug} head={head} />
      {head.full ? <CheckAll slug={head.slug} /> : null}
    </PageLayout>
  );
}

function Downloads({ slug }: { slug: string }) {
  const address = (format: string) =>
    `/api/v1/sessions/${encodeURIComponent(slug)}/replay/export?format=${format}`;
  return (
    <p className="row wrap downloads" role="group" aria-label={texts.download}>
      <span className="small ink2" aria-hidden="true">
        {texts.download}
      </span>
      <a className="btn sm" href={address("json")} download>
        {texts.asJson}
      </a>
      <a className="btn sm" href={address("csv")} download>
        {texts.asCsv}
      </a>
    </p>
  );
}

/** What cannot be known of a session that was played before sessions had a log. */
function Derived({ head: { derivedUntil, until } }: { head: ReplayHead }) {
  if (derivedUntil === null) return null;
  if (derivedUntil >= until) return <Note>{texts.derivedWholly}</Note>;
  return <Note>{fill(texts.derived, { at: <Moment at={derivedUntil} /> })}</Note>;
}

function LoadedReplay({ head }: { head: ReplayHead }) {
  const loading = useReplay(head);
  if (loading.state === "loading")
    return (
      <p className="panel pad small ink2 waiting" role="status">
        {texts.loadingReplay(loading.stepsCount)}
      </p>
    );
  if (loading.state === "failed")
    return (
      <section className="panel pad stack">
        <Note tone="bad">
          {texts.notLoaded} {loading.refusal}
        </Note>
        <button className="btn" type="button" onClick={loading.retry}>
          {texts.tryAgain}
        </button>
      </section>
    );
  const { timeline, names } = loading;
  if (timeline.steps.length === 0)
    return (
      <section className="panel">
        <EmptyState icon="clock" title={texts.nothingYet}>
          <p>{texts.nothingYetHint}</p>
        </EmptyState>
      </section>
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
