import { beforeEach, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import * as v from "valibot";
import { eventChanges, sessionChanges } from "#db/lists/changes.ts";
import { webhookFormats } from "#db/lists/webhooks.ts";
import { webhookDeliveries } from "#db/schema/webhooks.ts";
import { deliverWebhook, pingWebhook } from "#src/webhooks/deliver-webhook.ts";
import { createWebhook } from "#src/webhooks/manage-webhooks.ts";
import { writeBody } from "#src/webhooks/write-body.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { only } from "#tests/support/build.ts";
import { testWorld } from "#tests/support/world.ts";
import { buildDelivery, webhookRow } from "./build-webhook.ts";
import { Receiver } from "./receiver.ts";

const { deps, read, stopClockAt } = await testWorld();
const receiver = new Receiver();
afterFile(() => receiver.stop());
const START = new Date("2026-11-21T20:00:00Z");
const env = { publicUrl: "https://play.example.test" };

beforeEach(async () => {
  receiver.received.length = 0;
  await stopClockAt(START);
});

const rowOf = (id: number) => read.row(webhookDeliveries, id);
const buildChat = async (format: "discord" | "slack") => {
  const terms = { name: "Chat", url: receiver.url, format, actor: null, now: START };
  const { webhook, secret } = await createWebhook(deps, terms);
  return { id: webhook.id, secret };
};

const HOSTILE = "@everyone <!channel> <@1> **b** [x](https://e.test) `c` # _i_ & ~s~ || :smile:";
const eventBody = (event: object) =>
  JSON.stringify({ detail: { event: { sessionId: 7, ...event }, serverTime: START.toISOString() } });
const hostile = eventBody({
  title: HOSTILE,
  trueLabel: `1. ${HOSTILE}`,
  falseLabel: "No",
  result: true,
  resultReason: `- ${HOSTILE}\n# Seen`,
});

test("Discord gets an embed in which nobody is notified and nothing that people wrote is markup", () => {
  const body = writeBody(env, "discord", { type: "Event/resolve", body: hostile });
  const plain = String.raw`\@everyone \<!channel\> \<\@1\> \*\*b\*\* \[x\]\(https\://e.test\) \`c\` \# \_i\_ & \~s\~ \|\| \:smile\:`;
  expect(JSON.parse(body)).toEqual({
    username: "Called It",
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: "Result",
        description: [plain, String.raw`1\. ${plain}`, String.raw`\- ${plain} \# Seen`].join("\n"),
        color: 0xe6f53a,
        url: "https://play.example.test/sessions/7",
        timestamp: START.toISOString(),
      },
    ],
  });
});

test("Slack gets plain text blocks, and a text for notifications in which its control characters are escaped", () => {
  const { text, mrkdwn, blocks } = JSON.parse(
    writeBody(env, "slack", { type: "Event/resolve", body: hostile }),
  );
  expect(mrkdwn).toBe(false);
  expect(text).toStartWith("Result - @everyone &lt;!channel&gt; &lt;@1&gt;");
  expect(text).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/);
  expect(blocks).toEqual([
    { type: "header", text: { type: "plain_text", text: "Result", emoji: false } },
    {
      type: "section",
      text: {
        type: "plain_text",
        text: [HOSTILE, `1. ${HOSTILE}`, `- ${HOSTILE} # Seen`].join("\n"),
        emoji: false,
      },
    },
    {
      type: "section",
      text: { type: "mrkdwn", text: "<https://play.example.test/sessions/7|Open the session>" },
    },
  ]);
});

const discord = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ embeds: v.tuple([v.object({ title: v.string(), description: v.optional(v.string()) })]) }),
);
const block = v.object({ text: v.object({ text: v.string() }) });
const slack = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ text: v.string(), blocks: v.tupleWithRest([block], block) }),
);

test("every fact fits into the receivers' limits, also the longest, one of another release and one without texts", () => {
  const long = "*".repeat(5_000);
  const bodies = [
    eventBody({
      title: long,
      trueLabel: long,
      falseLabel: long,
      result: true,
      resultReason: `${long}\u{1f600}`,
    }),
    eventBody({ title: "", result: null, pool: "?", callsCount: null }),
    JSON.stringify({ detail: { session: { slug: "friday", name: long } } }),
    JSON.stringify({ detail: { sessionId: 3, serverTime: "soon" } }),
    "no JSON",
  ];
  const types = [
    ...eventChanges.map((change) => `Event/${change}`),
    ...[...sessionChanges, "destroy"].map((change) => `Session/${change}`),
    "Event/of_a_newer_release",
    "Webhook/ping",
  ];
  for (const type of types)
    for (const body of bodies) {
      const { embeds } = v.parse(discord, writeBody(env, "discord", { type, body }));
      const [embed] = embeds;
      expect(embed.title.length).toBeWithin(1, 257);
      expect(embed.description?.length ?? 1).toBeWithin(1, 4_097);
      const { blocks } = v.parse(slack, writeBody(env, "slack", { type, body }));
      expect(blocks[0].text.text.length).toBeWithin(1, 151);
      expect(blocks[1]?.text.text.length ?? 1).toBeWithin(1, 3_001);
      expect(writeBody(env, "json", { type, body })).toBe(body);
    }
});

test("a message to a chat is signed as it is sent, a test comes in the same format, and older webhooks get JSON", async () => {
  const { id, secret } = await buildChat("discord");
  expect(await deliverWebhook(deps, (await pingWebhook(deps, { id, now: START })).id)).toBeNull();
  const { body, signature } = only(receiver.received);
  expect(JSON.parse(body)).toMatchObject({
    embeds: [{ title: "A test from Called It", description: "Chat\nIt has arrived." }],
  });
  const t = START.getTime() / 1_000;
  expect(signature).toBe(`t=${t},v1=${createHmac("sha256", secret).update(`${t}.${body}`).digest("hex")}`);
  const { webhook } = await createWebhook(deps, {
    name: "Old",
    url: receiver.url,
    format: "json",
    actor: null,
    now: START,
  });
  expect(webhook.format).toBe(webhookFormats[0]);
  expect((await webhookRow(deps, id)).format).toBe("discord");
});

test("a chat that is asked too often is asked again when it says, which is no attempt and no failing", async () => {
  const { id: webhookId } = await buildChat("discord");
  const id = await buildDelivery(deps, webhookId);
  const limited = (headers: Record<string, string>, body: object = {}) =>
    new Response(JSON.stringify(body), { status: 429, headers });
  receiver.answerNext(
    limited({ "retry-after": "1500", "x-ratelimit-reset-after": "1.2" }),
    limited({}, { message: "You are being rate limited.", retry_after: 3.4 }),
    limited({ "retry-after": "7" }),
    limited({ "retry-after": new Date(Date.now() + 9_000_000).toUTCString() }),
  );
  const waits: (number | null)[] = [];
  for (let at = START.getTime(); waits.length < 5;) {
    const waitMs = await deliverWebhook(deps, id);
    waits.push(waitMs);
    at += waitMs ?? 0;
    await stopClockAt(new Date(at));
  }
  expect(waits).toEqual([2_000, 4_000, 7_000, 3_600_000, null]);
  expect(await rowOf(id)).toMatchObject({ status: 204, error: null, failedAt: null });
  expect((await webhookRow(deps, webhookId)).failingSince).toBeNull();
});

test("what a chat refuses is not sent again, and the log says what to do", async () => {
  const refusals = [
    ["slack", 404, "no_service", "Make another one in Slack"],
    ["slack", 410, "channel_is_archived", "The channel is archived."],
    ["slack", 400, "invalid_payload", "It answered 400."],
    ["discord", 404, '{"message":"Unknown Webhook","code":10015}', "Make another one in Discord"],
  ] as const;
  for (const [format, status, answer, error] of refusals) {
    const { id: webhookId } = await buildChat(format);
    const id = await buildDelivery(deps, webhookId);
    receiver.answerNext(new Response(answer, { status }));
    expect(await deliverWebhook(deps, id)).toBeNull();
    expect(await rowOf(id)).toMatchObject({ status, attempts: 1, failedAt: START });
    expect((await rowOf(id)).error).toContain(error);
    expect((await webhookRow(deps, webhookId)).failingSince).toEqual(START);
  }
  const { id: webhookId } = await buildChat("slack");
  const id = await buildDelivery(deps, webhookId);
  receiver.answerNext(new Response("rollup_error", { status: 500 }));
  expect(await deliverWebhook(deps, id)).toBeGreaterThan(0);
  receiver.answerNext(new Response("ok"));
});
