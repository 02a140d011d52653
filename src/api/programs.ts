import { DELIVERY_DAYS, ROTATION_HOURS, RETRY_AFTER_SECONDS } from "#src/webhooks/contract.ts";

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

/** Follows a session. A test runs it against the server. */
const FOLLOW_IN_JAVASCRIPT = `const { CALLED_IT, CALLED_IT_TOKEN, SESSION } = process.env;
const headers = { authorization: "Bearer " + CALLED_IT_TOKEN };
const socket = new WebSocket(CALLED_IT.replace("http", "ws") + "/cable", { headers });
const identifier = JSON.stringify({ channel: "SessionsChannel", id: SESSION });

socket.onmessage = ({ data }) => {
  const { type, message } = JSON.parse(data);
  if (type === "welcome") socket.send(JSON.stringify({ command: "subscribe", identifier }));
  if (message?.sourceType === "Event") console.log(message.eventType, message.detail.event.title);
};`;

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
      "A token that is unknown, expired or revoked gets 401 (`invalid_token`), and so does one whose owner is not an admin any more. Each token may send 600 requests a minute; `RateLimit` in each answer says how many are left. The audit log names the token beside its owner.",
      "Example: resolve an event. Set `CALLED_IT` to the address of this server, `CALLED_IT_TOKEN` to a token with the scope `run`, and `EVENT_ID` to the id of an event.",
    ],
    example: RESOLVE_BY_CURL,
  },
  {
    id: "following-a-session",
    title: "Following a session",
    paragraphs: [
      "`/cable` is a WebSocket on which a program hears what happens, as it happens: events, results, pools, leaders, chat. It speaks the protocol of Action Cable, so there are clients for most languages. `/api/asyncapi.json` describes every frame and message.",
      "A token of either scope opens it, in the header `Authorization: Bearer ci_...` of the handshake, without an `Origin`. It reads what its owner may read of sessions, and changes nothing: a chat message is refused, and nobody counts as online for it. What hosts have armed comes with the scope `run` only, and a player's own channel with no token. When a token is revoked or expires, its sockets are closed.",
      'Each message has an `offset` in an `epoch`; those of the chat count by themselves. After a break subscribe again, and send `{"action": "since", "epoch": ..., "offset": ...}` with those of the last message that is not of the chat, as the data of the command `message`: what was missed comes in order, then `caughtUp`; what comes meanwhile may be newer. After `gap` read the data again by the API, and go on from the offset that it names. Clients that offer the subprotocol `actioncable-v1-ext-json`, such as those of AnyCable, need none of this.',
      "Example, for Bun and Node 22: print what happens to the events of a session. Set `CALLED_IT` and `CALLED_IT_TOKEN` as above, and `SESSION` to the name of a session in its address.",
    ],
    example: FOLLOW_IN_JAVASCRIPT,
  },
  {
    id: "receiving-webhooks",
    title: "Receiving webhooks",
    paragraphs: [
      "A webhook gets a POST for each change of a session or an event that players see, and for each result: the JSON that the cable broadcasts to everyone in the session. Add webhooks at `/admin/webhooks`. A webhook is told about the sessions that it names, or about all that are not private: a private session is told only to a webhook that names it. It may choose kinds of messages too.",
      "`X-Called-It-Type` says what happened, such as `Event/resolve`. `X-Called-It-Id` is the same for each attempt: skip an id that was handled before. Messages may arrive in another order than they were broadcast: within an `epoch`, a session's message with a larger `offset` is newer.",
      "A webhook with the format `discord` or `slack` gets the same facts as a short message of that chat: enter the address of a webhook that was made there. What people have written notifies nobody and is no markup. A message that the chat refuses is not sent again.",
      `Any status from 200 to 299 within 10 s says that a message has arrived. Otherwise it is sent again after ${retries}. A receiver that answers 429 or 503 with \`Retry-After\`, in seconds or as a date, is asked again then, within an hour. A webhook that fails for a day is switched off. What was sent in the last ${DELIVERY_DAYS} days can be sent again, one message or those of a time.`,
      "`webhook-id`, `webhook-timestamp` and `webhook-signature` are those of Standard Webhooks (standardwebhooks.com): its libraries, for most languages, check a message with the secret of the webhook as it was shown. A webhook that was made by a release before 0.5 needs a new secret for them.",
      `\`X-Called-It-Signature: t=...,v1=...\` proves the sender too, without a library: \`v1\` is the HMAC-SHA256 of the time, a dot and the body, in hexadecimal. For ${ROTATION_HOURS} h after a rotation there is one \`v1\` for each of the two secrets.`,
    ],
    example: VERIFY_IN_JAVASCRIPT,
  },
];
