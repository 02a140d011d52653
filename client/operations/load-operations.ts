import { data, type LoaderFunctionArgs } from "react-router";
import type { OperationsAnswer } from "#src/operations/schemas.ts";
import { apiContext, pageContext } from "../context.ts";
import { defer } from "../deferred/defer.ts";
import type { Deferred } from "../deferred/deferred.ts";

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
