import { data, type LoaderFunctionArgs } from "react-router";
import { defer } from "#client/base/deferred/defer.ts";
import type { Deferred } from "#client/base/deferred/deferred.ts";
import { apiContext, pageContext } from "#client/base/page/context.ts";
import type { OperationsAnswer } from "#src/operate/operations/schemas.ts";

const NOT_FOUND = 404;

export type OperationsData = { answer: Deferred<OperationsAnswer> };

/** What runs behind the game. For everybody but admins and operators there is no such page. */
export async function loadOperations(args: LoaderFunctionArgs): Promise<OperationsData> {
  const { context, request } = args;
  requireStaff(context);
  const api = context.get(apiContext);
  return { answer: await defer(args, () => api.get("/api/v1/operations", { signal: request.signal })) };
}

/** @throws 404 for everybody else. */
export function requireStaff(context: LoaderFunctionArgs["context"]): void {
  const roles = context.get(pageContext).viewer?.roles ?? [];
  if (!roles.includes("admin") && !roles.includes("operator")) throw data(null, { status: NOT_FOUND });
}
