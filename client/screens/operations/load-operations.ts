import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from "react-router";
import { defer } from "#client/base/deferred/defer.ts";
import type { Deferred } from "#client/base/deferred/deferred.ts";
import { apiContext, pageContext } from "#client/base/page/context.ts";
import { seeOther } from "#client/ui/forms/answer-form.ts";
import { readForm } from "#client/ui/forms/read-form.ts";
import { refuseForm } from "#client/ui/forms/refused-in-form.ts";
import type { Refused } from "#client/ui/forms/refused.ts";
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

/** Pauses or resumes a queue, or sends what waits, then shows the page again. Whether the viewer may is decided by the API. */
export async function actOnOperations({ context, request }: ActionFunctionArgs) {
  requireStaff(context);
  const { intent, queue } = readForm(await request.formData(), { intent: "text", queue: "text" } as const);
  const api = context.get(apiContext);
  if (intent === "send_waiting") {
    await api.post("/api/v1/operations/waiting/send");
    return seeOther("/admin");
  }
  if (intent !== "pause" && intent !== "resume") throw data(null, { status: 400 });
  try {
    await api.post(`/api/v1/operations/queues/${encodeURIComponent(queue)}/${intent}`);
  } catch (error) {
    return refuseForm<Refused>(error, {});
  }
  return seeOther("/admin");
}

/** @throws 404 for everybody else. */
function requireStaff(context: LoaderFunctionArgs["context"]): void {
  const roles = context.get(pageContext).viewer?.roles ?? [];
  if (!roles.includes("admin") && !roles.includes("operator")) throw data(null, { status: NOT_FOUND });
}
