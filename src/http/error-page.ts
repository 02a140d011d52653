import type { Refusal } from "#src/base/refusal.ts";
import { escapeHtml } from "./escape-html.ts";
import type { RequestContext } from "./request-context.ts";

/**
 * A page of last resort, for when the app itself cannot answer: it needs no script, no style sheet and no database. It
 * says what happened, and after a bug the request id.
 */
export function errorPage({ status, message }: Refusal, { nonce, requestId }: RequestContext): string {
  const reference = status === 500 ? `<p class="small">Reference: ${requestId}</p>` : "";
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Called It</title><style nonce="${nonce}">
:root{color-scheme:light dark}body{font:1.125rem/1.5 system-ui,sans-serif;margin:0;min-height:100vh;display:grid;
place-content:center;text-align:center;padding:1rem}h1{font-size:1.5rem}.small{font-size:.875rem;opacity:.7}
</style></head><body><main><h1>${escapeHtml(message)}</h1>${reference}<p><a href="/sessions">Go to the sessions</a></p></main></body></html>`;
}
