import { type ReactNode, use, useEffect } from "react";
import { Boundary } from "#client/base/deferred/boundary.tsx";
import type { endParts } from "./end.tsx";

type Parts = typeof endParts;

const RETRY_MS = 5_000;
let parts: Parts | null = null;
let loading: Promise<Parts | null> | null = null;

/**
 * Fetches the code of a session's end, once. A live page does that when the session stops, some seconds before the end is shown.
 * @returns null if it could not be fetched; calls try again some seconds later.
 */
export function loadEnd(): Promise<Parts | null> {
  loading ??= import("./end.tsx").then(
    (loaded) => (parts = loaded.endParts),
    () => {
      setTimeout(() => (loading = null), RETRY_MS);
      return null;
    },
  );
  return loading;
}

type EndProps = {
  isStopped: boolean;
  /** The last result has been shown too. */
  isOver: boolean;
  children: ReactNode;
};

/** The game, and the end of a session when it is over and its code is there. */
export function EndOfSession({ isStopped, isOver, children }: EndProps) {
  useEffect(() => {
    if (isStopped) void loadEnd();
  }, [isStopped]);
  if (!isOver) return children;
  return (
    <Boundary fallback={children}>
      <Loaded known={parts}>{children}</Loaded>
    </Boundary>
  );
}

/** @param known as it was when the whole end was rendered: a component that has waited by `use` must call it again. */
function Loaded({ known, children }: { known: Parts | null; children: ReactNode }) {
  const loaded = known ?? use(loadEnd());
  return loaded === null ? children : <loaded.End />;
}
