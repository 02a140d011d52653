import { useCallback, useState } from "react";
import { ApiError } from "#client/base/api/api.ts";
import { usePolling } from "#client/base/live/use-polling.ts";
import { useApi } from "#client/base/page/context.ts";
import type { OperationsAnswer, OperationsView } from "#src/operate/operations/schemas.ts";

const ASK_EVERY_MS = 3_000;
const ANSWER_WITHIN_MS = 5_000;

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
export function useOperations(loaded: OperationsAnswer): Known {
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
