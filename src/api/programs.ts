import { ROTATION_HOURS, RETRY_AFTER_SECONDS } from "#src/webhooks/contract.ts";

/** A part of the reference about programs. Paragraphs may have code spans; the example can be run as it is, with its variables set. */
export type Guide = { id: string; title: string; paragraphs: readonly string[]; example: string };

/** Resolves an event. A test runs it against the server. */
const RESOLVE_BY_CURL = `curl --fail-with-body --request PATCH "$CALLED_IT/api/v1/events/$EVENT_ID/state" \\
  --header "Authorization: Bearer $CALLED_IT_TOKEN" \\
  --header "Content-Type: application/json" \\
  --data '{"event": {"state_event": "resolve", "result": true}}'`;

/** Checks a message's signature. A test runs it with messages that a webhook got. */
const VERIFY_IN_JAVASCRIPT = `import { createHmac, timingSafeEqual } from "node:crypto";

// header: X-Called-It-Signature. body: the text of the request, before it is parsed.
export function isGenuine(secret, header, body) {
  const parts = header.split(",").map((part) => part.split("="));
  const time = parts.find(([name]) => name === "t")?.[1] ?? "";
  if (Math.abs(Date.now() / 1000 - Number(time)) > 300) return false;
  const expected = createHmac("sha256", secret).update(time + "." + body).digest();
  return parts.some(([name, hex = ""]) => {
    const signature = Buffer.from(hex, "hex");
    return name === "v1" && signature.length === expected.length && timingSafeEqual(signature, expected);
  });
}`;

const retries = RETRY_AFTER_SECONDS.map((seconds) => {
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3_600 ? `${seconds / 60} min` : `${seconds / 3_600} h`;
}).join(", ");

/** How programs use the API, and receive what happens. */
export const guides: readonly Guide[] = [
  {
    id: "access-tokens",
    title: "Access tokens",
    paragraphs: [
      "A program acts for an admin with an access token, which the admin makes at `/profile/tokens`. It sends `Authorization: Bearer ci_...`, and neither a cookie nor an anti-forgery token.",
      "The scope `read` opens what an admin may read, the scope `run` also the actions of events and sessions, and what hosts have armed: each endpoint below says which one it takes. Users, wallets, payments, shared links, tokens and webhooks are closed to every token (403, `outside_scope`).",
      "A token that is unknown, expired or revoked gets 401 (`invalid_token`), and so does one whose owner is not an admin any more. Each token may send 600 requests a minute. The audit log names the token beside its owner.",
      "Example: resolve an event. Set `CALLED_IT` to the address of this server, `CALLED_IT_TOKEN` to a token with the scope `run`, and `EVENT_ID` to the id of an event.",
    ],
    example: RESOLVE_BY_CURL,
  },
  {
    id: "receiving-webhooks",
    title: "Receiving webhooks",
    paragraphs: [
      "A webhook gets a POST for each change of a session or an event that players see, and for each result: the JSON that the cable broadcasts to everyone in the session. Add webhooks at `/admin/webhooks`. A webhook is told about the sessions that it names, or about all that are not private: a private session is told only to a webhook that names it.",
      "`X-Called-It-Type` says what happened, such as `Event/resolve`. `X-Called-It-Id` is the same for each attempt: skip an id that was handled before. Messages may arrive in another order than they were broadcast: within an `epoch`, a session's message with a larger `offset` is newer.",
      "A webhook with the format `discord` or `slack` gets the same facts as a short message of that chat: enter the address of a webhook that was made there. What people have written notifies nobody and is no markup. A message that the chat refuses is not sent again.",
      `Any status from 200 to 299 within 10 s says that a message has arrived. Otherwise it is sent again after ${retries}. A receiver that answers 429 or 503 with \`Retry-After\` is asked again when it says. A webhook that fails for a day is switched off.`,
      `\`X-Called-It-Signature: t=...,v1=...\` proves the sender: \`v1\` is the HMAC-SHA256 of the time, a dot and the body, in hexadecimal. For ${ROTATION_HOURS} h after a rotation there is one \`v1\` for each of the two secrets.`,
    ],
    example: VERIFY_IN_JAVASCRIPT,
  },
];
