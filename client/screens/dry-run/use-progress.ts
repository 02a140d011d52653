import { useCallback, useEffect, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { usePolling } from "#client/base/live/use-polling.ts";
import { useApi } from "#client/base/page/context.ts";
import type { DryRunData } from "./load-dry-run.ts";

const POLL_MS = 1_000;

type Shown = DryRunData["shown"];

const isUnfinished = (shown: Shown) => shown?.state === "waiting" || shown?.state === "playing";

/**
 * The shown dry run, asked for once a second until it has ended; then the page is loaded again. A question waits for the answer to
 * the one before it.
 */
export function useProgress(loaded: Shown): Shown {
  const api = useApi();
  const { revalidate } = useRevalidator();
  const [asked, setAsked] = useState<Shown>(null);
  const asking = useRef<AbortController | null>(null);
  const shown = asked !== null && asked.id === loaded?.id && isUnfinished(loaded) ? asked : loaded;
  const id = shown?.id;
  const ask = useCallback(() => {
    if (id === undefined || asking.current !== null) return;
    const asks = new AbortController();
    asking.current = asks;
    api
      .get(`/api/v1/dry_runs/${id}`, { signal: asks.signal })
      .then(({ dryRun }) => {
        if (asks.signal.aborted) return;
        setAsked(dryRun);
        if (!isUnfinished(dryRun)) void revalidate();
      })
      // Without an answer the next question follows.
      .catch(() => undefined)
      .finally(() => {
        if (asking.current === asks) asking.current = null;
      });
  }, [api, id, revalidate]);
  useEffect(
    () => () => {
      asking.current?.abort();
      asking.current = null;
    },
    [id],
  );
  usePolling(ask, { everyMs: POLL_MS, enabled: isUnfinished(shown), whenVisible: true });
  return shown;
}
