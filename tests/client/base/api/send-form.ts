import { RouterContextProvider } from "react-router";
import { createApi } from "#client/base/api/api.ts";
import { overHttp } from "#client/base/api/over-http.ts";
import { apiContext, pageContext } from "#client/base/page/context.ts";
import type { Action } from "#client/base/page/handle.ts";
import { buildPage } from "#tests/client/events/action-states.ts";

type Page = { path: string; pattern: string; params: Record<string, string> };
type ApiRequest = { method: string; path: string; body: unknown };

/**
 * Sends a form to a page's action, with an API that always gives the same answer.
 * @returns what the action returned or threw, and the requests that it sent to the API, with their Idempotency-Keys.
 */
export async function sendForm(
  action: Action,
  page: Page,
  { fields, answer }: { fields: Record<string, string>; answer: () => Response },
) {
  const requests: ApiRequest[] = [];
  const keys: (string | null)[] = [];
  const api = createApi({
    inProcess: true,
    carry: overHttp({
      csrfToken: "token",
      send: (path, { method = "", headers, body }) => {
        requests.push({ method, path, body: typeof body === "string" ? JSON.parse(body) : undefined });
        keys.push(new Headers(headers).get("idempotency-key"));
        return Promise.resolve(answer());
      },
    }),
  });
  const context = new RouterContextProvider();
  context.set(apiContext, api);
  context.set(pageContext, buildPage());
  const url = new URL(page.path, "http://localhost");
  const request = new Request(url, { method: "POST", body: new URLSearchParams(fields) });
  const { params, pattern } = page;
  let outcome: unknown;
  try {
    outcome = await action({ api, request, context, params, url, pattern });
  } catch (error) {
    outcome = error;
  }
  return { outcome, requests, keys };
}

/** The status and the `location` of a redirect; anything else as it is. */
export function redirectOf(outcome: unknown): unknown {
  return outcome instanceof Response ? [outcome.status, outcome.headers.get("location")] : outcome;
}
