import { type ActionFunctionArgs, data } from "react-router";
import { apiContext } from "#client/base/page/context.ts";
import { seeOther } from "#client/ui/forms/answer-form.ts";
import { readForm } from "#client/ui/forms/read-form.ts";
import { refuseForm } from "#client/ui/forms/refused-in-form.ts";
import type { Refused } from "#client/ui/forms/refused.ts";
import { requireStaff } from "./load-operations.ts";

/** Why a job was not retried, and which. */
export type RetryRefusal = Refused & { jobId: string };
/** Why a queue was not paused or resumed, and which. */
export type SwitchRefusal = Refused & { queue: string };

/**
 * Retries a failed job, pauses or resumes a queue, or sends what waits, then shows the page again. Whether the viewer may is decided by
 * the API.
 */
export async function actOnOperations({ context, request }: ActionFunctionArgs) {
  requireStaff(context);
  const fields = { intent: "text", queue: "text", jobId: "text" } as const;
  const { intent, queue, jobId } = readForm(await request.formData(), fields);
  const api = context.get(apiContext);
  if (intent === "send_waiting") {
    await api.post("/api/v1/operations/waiting/send");
    return seeOther("/admin");
  }
  if (intent === "pause" || intent === "resume") {
    try {
      await api.post(`/api/v1/operations/queues/${encodeURIComponent(queue)}/${intent}`);
    } catch (error) {
      return refuseForm<SwitchRefusal>(error, { queue });
    }
    return seeOther("/admin");
  }
  if (intent !== "retry") throw data(null, { status: 400 });
  try {
    const [name, id] = [queue, jobId].map(encodeURIComponent);
    await api.post(`/api/v1/operations/queues/${name}/jobs/${id}/retry`);
  } catch (error) {
    return refuseForm<RetryRefusal>(error, { jobId });
  }
  return seeOther("/admin");
}
