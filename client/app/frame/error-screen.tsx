import { useEffect } from "react";
import { isRouteErrorResponse, useRouteError } from "react-router";
import type { Failure } from "#client/base/api/error-responses.ts";
import { Unreachable } from "#client/base/api/request-with-retry.ts";
import { ErrorBox } from "#client/ui/error-box.tsx";
import { reloadLost } from "./reload-lost.ts";

/** A page that failed: says what happened and what to do next, without technical details. */
export function ErrorScreen() {
  const error = useRouteError();
  useEffect(() => reloadLost(error), [error]);
  return (
    <main className="page" id="main" tabIndex={-1}>
      <ErrorBox failure={failureIn(error)} level={1} />
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
