import { eq } from "drizzle-orm";
import * as v from "valibot";
import { passkeys } from "#db/schema/passkeys.ts";
import { pushSubscriptions } from "#db/schema/push-subscriptions.ts";
import { signIns, users } from "#db/schema/users.ts";
import { paymentAnswer } from "#src/money/payments/schemas.ts";
import { adjustWallet } from "#src/money/wallet/adjust-wallet.ts";
import { writeNotifications } from "#src/people/notifications/write-notifications.ts";
import { placeCall } from "#src/play/calls/place-call.ts";
import { destroyMessage, mutePlayer } from "#src/play/chat/moderate-chat.ts";
import { excludePlayer } from "#src/play/leaderboard/exclude-player.ts";
import { createShare } from "#src/shares/create-share.ts";
import { createWebhook } from "#src/webhooks/manage-webhooks.ts";
import { buildToken } from "#tests/people/access-tokens/build-token.ts";
import { buildMessage } from "#tests/play/chat/fixtures.ts";
import { readShares } from "#tests/shares/shows.ts";
import { buildBlueprint, buildEvent, only, readSpots } from "#tests/support/build.ts";
import { signedInClient } from "#tests/support/client.ts";
import type { TestDeps } from "#tests/support/deps.ts";
import { setRows } from "#tests/support/rows.ts";
import type { Server } from "#tests/support/server.ts";
import { admins, hosts, type Marker, newText, nobody, viewerNames } from "./markers.ts";

type Terms = {
  deps: TestDeps;
  server: Server;
  owner: { id: number };
  host: { id: number };
  session: { id: number; slug: string };
  /** The newest messages of a live show are on its stage, so others are written here. */
  over: { id: number };
};
/** Things with markers in them, and the parts of addresses that name them: "calls" -> "12". */
export type Things = { markers: Marker[]; parts: Record<string, string[]> };

const newOwnTexts = () => ({
  email: newText(),
  agent: newText(),
  notice: newText(),
  push: newText(),
  passkey: newText(),
  memo: newText(),
});
const newHostTexts = () => ({
  token: newText(),
  hook: newText(),
  blueprint: newText(),
  said: newText(),
  deleted: newText(),
  muted: newText(),
  excluded: newText(),
});

/** What a player has of their own: how to reach them, their devices, their money, their calls. */
export async function buildOwnThings({ deps, server, owner, host, session }: Terms): Promise<Things> {
  const { db } = deps.pool;
  const own = ["owner"] as const;
  const { email, agent, notice, push, passkey, memo } = newOwnTexts();
  await setRows(db, users, owner.id, {
    email: `${email.toLowerCase()}@example.test`,
    phone: "+49301234567",
  });
  const browser = await signedInClient(deps, server, owner);
  const [signIn] = await db
    .update(signIns)
    .set({ userAgent: agent })
    .where(eq(signIns.userId, owner.id))
    .returning();
  if (signIn === undefined) throw new Error("the owner has no sign-in");
  await writeNotifications(db, [
    { userId: owner.id, kind: "announcement", title: notice, body: "", url: null },
  ]);
  await buildDevices(deps, { owner, signIn, push, passkey });
  const adjustment = { userId: owner.id, actor: host, amountCents: 123, reason: memo };
  await adjustWallet(deps, { ...adjustment, idempotencyKey: "adjusted" });
  const paid = await browser.send("POST", "/api/v1/payments", { payment: { amount: 20 } });
  const { reference } = v.parse(paymentAnswer, paid.body).payment;
  const { key, callId, token } = await buildShared(deps, { owner, session });
  return {
    markers: [
      { what: "an email address", text: email, readers: [...own, ...admins] },
      { what: "a phone number", text: "49301234567", readers: [...own, ...admins] },
      { what: "a browser", text: agent, readers: [...own, ...admins] },
      { what: "a sign-in", text: signIn.id, readers: own },
      { what: "the secret of a sign-in", text: signIn.csrfSecret, readers: nobody },
      { what: "a notification", text: notice, readers: own },
      { what: "a push service", text: push, readers: own },
      { what: "a passkey", text: passkey, readers: own },
      { what: "the reason of an adjustment", text: memo, readers: [...own, ...admins] },
      { what: "a payment", text: reference, readers: [...own, ...admins] },
      { what: "the key of a call", text: key, readers: own },
      { what: "a shared link", text: token, readers: own },
    ],
    parts: {
      calls: [String(callId)],
      history: [String(callId)],
      payments: [reference],
      checkout: [reference],
      shared: [token],
      sign_ins: [signIn.id],
      passkeys: [String(only(await db.select().from(passkeys)).id)],
      push_subscriptions: [String(only(await db.select().from(pushSubscriptions)).id)],
    },
  };
}

type Devices = { owner: { id: number }; signIn: { id: string }; push: string; passkey: string };

async function buildDevices({ pool: { db } }: TestDeps, { owner, signIn, push, passkey }: Devices) {
  await db.insert(pushSubscriptions).values({
    userId: owner.id,
    signInId: signIn.id,
    endpoint: `https://push.example.test/${push}`,
    p256dh: "key",
    auth: "auth",
    sessionLive: true,
    results: true,
  });
  await db.insert(passkeys).values({
    userId: owner.id,
    credentialId: `credential-${owner.id}`,
    publicKey: "key",
    signCount: 0,
    name: passkey,
  });
}

async function buildShared(deps: TestDeps, { owner, session }: Pick<Terms, "owner" | "session">) {
  const event = await buildEvent(deps, "open", { sessionId: session.id, durationSeconds: 900 });
  const spotId = (await readSpots(deps, event.id)).true.id;
  const key = newText();
  const { callId } = await placeCall(deps, { viewer: owner, spotId, wagerCents: 100, idempotencyKey: key });
  await createShare(deps.pool.db, { viewer: owner, kind: "call", targetId: callId }, new Date());
  const { token } = only(await readShares(deps, owner.id));
  return { key, callId, token };
}

/** What admins have, and what is told in the chat. */
export async function buildHostThings({ deps, server, owner, host, session, over }: Terms): Promise<Things> {
  const { token, hook, blueprint, said, deleted, muted, excluded } = newHostTexts();
  await buildToken(deps, { userId: host.id, name: token });
  const url = `http://127.0.0.1:9/${hook}`;
  await createWebhook(deps, { actor: host, now: new Date(), name: "Scoreboard", url, format: "json" });
  const made = await buildBlueprint(deps, [{ title: blueprint }], { name: `Of ${blueprint}` });
  const write = (body: string) => buildMessage(deps, { sessionId: over.id, userId: owner.id, body: body });
  const messages = [await write(said), await write(deleted)];
  await destroyMessage(deps, { messageId: messages[1] ?? 0, actor: host });
  const mute = { sessionId: session.slug, userId: owner.id, minutes: 10, reason: muted };
  await mutePlayer(deps, { actor: host, ...mute });
  await excludePlayer(deps, { actor: host, userId: owner.id, sessionId: session.slug, reason: excluded });
  const link = await buildShared(deps, { owner: host, session });
  const browser = await signedInClient(deps, server, host);
  const { body } = await browser.get(`/api/v1/sessions/${session.slug}/stage_link`);
  const stageKey = /key=([\w.-]+)/.exec(JSON.stringify(body))?.[1] ?? "";
  const withAccount = viewerNames.filter((name) => !["stranger", "guest", "receiver"].includes(name));
  return {
    markers: [
      { what: "an access token", text: token, readers: ["host"] },
      { what: "the address of a webhook", text: hook, readers: admins },
      { what: "a blueprint", text: blueprint, readers: hosts },
      { what: "a chat message", text: said, readers: withAccount },
      { what: "a deleted chat message", text: deleted, readers: ["owner", ...hosts] },
      { what: "the reason of a mute", text: muted, readers: ["owner", ...hosts] },
      { what: "the reason of an exclusion", text: excluded, readers: ["owner", ...hosts] },
      { what: "a link of an admin", text: link.token, readers: ["host"] },
      { what: "a stage link", text: stageKey, readers: admins },
    ],
    parts: { blueprints: [String(made.id)], messages: messages.map(String), webhooks: ["1"] },
  };
}
