import { explainError } from "#src/base/describe-error.ts";
import { requestOutside, startOf } from "#src/http/outside/request-outside.ts";
import type { Env } from "#src/settings/env.ts";
import type { Finding } from "./examination.ts";

export const ANSWERS_WITHIN_MS = 3_000;
/** A machine may be kept from its own public address, where players reach it. */
const CURE =
  "Correct PUBLIC_URL, the name's address, the proxy before the processes or its certificate. If players reach it, and only this machine " +
  "does not, all is well.";

/** Whether PUBLIC_URL leads to this product, as this machine sees it. A proxy may be started later, so nothing is refused. */
export async function examineAddress({ publicUrl }: Pick<Env, "publicUrl">): Promise<Finding> {
  const request = { url: `${publicUrl}/up`, method: "GET", headers: { accept: "application/json" } };
  try {
    const answer = await requestOutside(request, { publicOnly: false, timeoutMs: ANSWERS_WITHIN_MS });
    if (answer.status === 200 && startOf(answer).includes('"up":true'))
      return { well: true, said: publicUrl };
    return {
      well: false,
      said: `${publicUrl} answers ${answer.status}, and not as Called It does.`,
      cure: CURE,
    };
  } catch (error) {
    const [said = ""] = explainError(error).split("\n");
    return { well: false, said: `${publicUrl} does not answer this machine: ${said}`, cure: CURE };
  }
}
