import type { WebhookFormat } from "#db/lists/webhooks.ts";
import type { Env } from "#src/settings/env.ts";
import { describeFact, type ToldFact } from "./describe-fact.ts";

/** Discord takes 256 and 4,096 characters, Slack 150 and 3,000: these are below both, also when each character is escaped. */
const HEAD_MAX = 120;
const LINE_MAX = 600;
/** The product's accent. */
const DISCORD_COLOR = 0xe6f53a;

type Message = { type: string; body: string };

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
    username: "Called It",
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
