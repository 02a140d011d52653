import * as v from "valibot";
import type { WebhookFormat } from "#db/lists/webhooks.ts";
import { formatMoney, say } from "#src/http/contract.ts";
import { site } from "#src/settings/contract.ts";
import type { Env } from "#src/settings/env.ts";

/** Discord takes 256 and 4,096 characters, Slack 150 and 3,000: these are below both, also when each character is escaped. */
const HEAD_MAX = 120;
const LINE_MAX = 600;
const DISCORD_COLOR = 0xe6f53a;

type Message = { type: string; body: string };

const text = v.fallback(v.string(), "");
const maybeText = v.fallback(v.nullable(v.string()), null);
const count = v.fallback(v.number(), 0);
const moment = v.fallback(v.pipe(v.string(), v.isoTimestamp()), "");
const sent = v.object({ detail: v.looseObject({ serverTime: moment }) });
const event = v.object({
  sessionId: v.fallback(v.nullable(v.number()), null),
  title: text,
  trueLabel: text,
  falseLabel: text,
  result: v.fallback(v.nullable(v.boolean()), null),
  voided: v.fallback(v.boolean(), false),
  resultReason: maybeText,
  callsCount: count,
  pool: v.fallback(v.object({ totalCents: v.number() }), { totalCents: 0 }),
});
const details = v.object({
  event: v.optional(event),
  session: v.optional(v.object({ slug: text, name: text })),
  webhook: v.optional(v.object({ name: text })),
});

const resultOf = ({ result, voided, trueLabel, falseLabel }: ToldEvent) => {
  if (voided) return "Void, all calls are refunded";
  return result === true ? trueLabel : falseLabel;
};
const sidesOf = ({ trueLabel, falseLabel }: ToldEvent) => [`${trueLabel} or ${falseLabel}`];
const poolOf = ({ callsCount, pool }: ToldEvent) => [
  `${callsCount} ${callsCount === 1 ? "call" : "calls"}, ${formatMoney(pool.totalCents)} in the pool`,
];
const nothing = () => [];

/** What each change of an event and of a session says. Another one is named as it is. */
const eventHeads: Readonly<Record<string, Head>> = {
  publish_event: ["Next question", sidesOf],
  open_event: ["Calls are open", sidesOf],
  close_event: ["Calls are closed", poolOf],
  resolve: ["Result", (told) => [resultOf(told), ...(told.resultReason === null ? [] : [told.resultReason])]],
  pay: ["Paid", (told) => [resultOf(told), ...poolOf(told)]],
  reset: ["Asked again, all calls are refunded", nothing],
  hide: ["Taken off", nothing],
  show: ["Shown again", sidesOf],
  update: ["Changed", sidesOf],
  destroy: ["Deleted", nothing],
};
const sessionHeads: Readonly<Record<string, string>> = {
  activate: "Players are sent here",
  deactivate: "Players are not sent here any more",
  start: "The session has started",
  stop: "The session is over",
  pause: "The session is paused",
  resume: "The session goes on",
  take_back_start: "The session has not started yet after all",
  take_back_stop: "The session is not over, it goes on",
  update: "The session was changed",
  destroy: "A planned session was deleted",
};

/** The bytes that a webhook of this format gets for a message. */
export function writeBody(env: Pick<Env, "publicUrl">, format: WebhookFormat, message: Message): string {
  if (format === "json") return message.body;
  const told = describeFact(env, message);
  return JSON.stringify(format === "discord" ? forDiscord(told) : forSlack(told));
}

/**
 * https://discord.com/developers/docs/resources/webhook#execute-webhook. Nobody is notified (`allowed_mentions`), and what people have
 * written is no markup.
 */
function forDiscord({ head, subject, facts, url, at }: ToldFact) {
  const lines = linesOf([subject, ...facts]).map(escapeMarkdown);
  return {
    username: site().name,
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: escapeMarkdown(oneLine(head, HEAD_MAX)),
        ...(lines.length > 0 && { description: lines.join("\n") }),
        color: DISCORD_COLOR,
        ...(url !== null && { url }),
        ...(at !== "" && { timestamp: at }),
      },
    ],
  };
}

/**
 * https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks. The blocks are plain text, in which nothing is markup.
 * `text` is for notifications; there Slack reads `<!channel>`, so what it is made of is escaped.
 */
function forSlack({ head, subject, facts, url }: ToldFact) {
  const lines = linesOf([subject, ...facts]);
  const plain = (text: string) => ({ type: "plain_text", text, emoji: false });
  const title = oneLine(head, HEAD_MAX);
  return {
    text: escapeSlack([title, ...lines].join(" - ")),
    mrkdwn: false,
    unfurl_links: false,
    blocks: [
      { type: "header", text: plain(title) },
      ...(lines.length > 0 ? [{ type: "section", text: plain(lines.join("\n")) }] : []),
      ...(url === null
        ? []
        : [{ type: "section", text: { type: "mrkdwn", text: `<${url}|Open the session>` } }]),
    ],
  };
}

const linesOf = (texts: readonly string[]) =>
  texts.map((text) => oneLine(text, LINE_MAX)).filter((line) => line !== "");

/** A text as one line of at most so many UTF-16 units, by which both services count at most. */
function oneLine(text: string, max: number): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= max ? line : `${line.slice(0, max - 3).replace(/[\uD800-\uDBFF]$/, "")}...`;
}

/** All that Discord reads as markup, a mention or a link in a line, and what begins a list. */
const escapeMarkdown = (text: string) =>
  text.replaceAll(/[\\*_~`|<>[\]()#@:]/g, String.raw`\$&`).replace(/^(\d*)([-+.])/, String.raw`$1\$2`);

const escapeSlack = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

// Decision: the row of a delivery has the cable's JSON, and a chat's message is made of it when it is sent. So the relay writes one
// text for all webhooks, another format applies to what waits, and a fact of another release is told as well as it can be.

/**
 * What a chat is told: what has happened, the question or session that it happened to (or empty), more facts, where to look (null: a
 * server without https is not public, and chats refuse its address), and when it was (or empty).
 */
type ToldFact = { head: string; subject: string; facts: string[]; url: string | null; at: string };
type ToldEvent = v.InferOutput<typeof event>;

type Head = [head: string, facts: (event: ToldEvent) => string[]];

/** What a message of the cable tells people. */
function describeFact(
  { publicUrl }: { publicUrl: string },
  { type, body }: { type: string; body: string },
): ToldFact {
  const { detail } = v.parse(v.fallback(sent, { detail: { serverTime: "" } }), readJson(body));
  const told = v.parse(v.fallback(details, {}), detail);
  return { ...wordsFor(type, told), url: addressOf(publicUrl, told), at: detail.serverTime };
}

type Told = v.InferOutput<typeof details>;
type Words = Pick<ToldFact, "head" | "subject" | "facts">;

function wordsFor(type: string, { event: ofEvent, session, webhook }: Told): Words {
  if (webhook !== undefined)
    return { head: say`A test from ${site().name}`, subject: webhook.name, facts: ["It has arrived."] };
  const [source = "", change = ""] = type.split("/");
  const plain = (change || type).replaceAll("_", " ");
  if (source === "Event" && ofEvent !== undefined)
    return wordsForEvent(ofEvent, eventHeads[change] ?? [plain, nothing]);
  return { head: sessionHeads[change] ?? plain, subject: session?.name ?? "", facts: [] };
}

function wordsForEvent(told: ToldEvent, [head, facts]: Head): Words {
  // What was removed has no texts any more.
  if (told.title === "") return { head, subject: "A question", facts: [] };
  return { head, subject: told.title, facts: facts(told) };
}

function addressOf(publicUrl: string, { event: ofEvent, session }: Told): string | null {
  const place = session?.slug || ofEvent?.sessionId || null;
  return place === null || !publicUrl.startsWith("https:") ? null : `${publicUrl}/sessions/${place}`;
}

function readJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
