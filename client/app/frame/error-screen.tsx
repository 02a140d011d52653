import { useEffect } from "react";
import { isRouteErrorResponse, useRouteError } from "react-router";
import { Unreachable } from "#client/base/api/request-with-retry.ts";
import * as words from "#client/base/format/words.ts";
import { useViewer } from "#client/base/page/context.ts";
import type { Failure } from "#client/base/page/error-responses.ts";
import { PlayAsGuest } from "#client/sign-ins/play-as-guest-form.tsx";
import { ErrorBox } from "#client/ui/error-box.tsx";
import { reloadLost } from "./reload-lost.ts";

/** A page that failed: says what happened and what to do next, without technical details. */
export function ErrorScreen() {
  const error = useRouteError();
  useEffect(() => reloadLost(error), [error]);
  const failure = failureIn(error);
  const isLost = useViewer() === null && failure.status === 404;
  return (
    <main className="page" id="main" tabIndex={-1}>
      <ErrorBox failure={failure} level={1} />
      {/* A visitor of an address that has gone is one tap away from the game. */}
      {isLost ? <PlayAsGuest returnTo="/" className="btn you lg wide" label={words.playNow} /> : null}
    </main>
  );
}

function failureIn(error: unknown): Failure {
  if (error instanceof Unreachable)
    return { status: 503, details: { reason: "offline", detail: "" }, leadsTo: null };
  if (!isRouteErrorResponse(error)) return { status: 500, details: null, leadsTo: null };
  const details: Failure["details"] = error.data;
  return { status: error.status, details, leadsTo: null };
}
