import * as v from "valibot";
import { pushSubscriptionAnswer } from "#src/people/push/schemas.ts";
import { PushBrowser } from "#tests/people/push/push-browser.ts";
import type { Fixture, Happy, Prepare } from "./fixture.ts";

/** The same address in every record of examples. */
const ENDPOINT = "https://push.example.com/send/Zm9vdGJhbGw";

const subscriptionOf = (endpoint: string) => {
  const { sessionLive, ...subscription } = new PushBrowser(endpoint).subscription();
  return { push_subscription: { ...subscription, session_live: sessionLive } };
};

export const happyPush: Record<string, Prepare> = {
  listPushSubscriptions: async (fixture) => {
    const { browser, params } = await subscribed(fixture);
    return { browser, params: { id: params.id } };
  },
  savePushSubscription: async (fixture) => {
    const { id, browser } = await fixture.player();
    return { browser, params: { id }, body: subscriptionOf(`${ENDPOINT}${id}`) };
  },
  removePushSubscription: subscribed,
};

async function subscribed(
  fixture: Fixture,
): Promise<Happy & { params: { id: number; subscriptionId: number } }> {
  const { id, browser } = await fixture.player();
  const path = `/api/v1/users/${id}/push_subscriptions`;
  const { body } = await browser.send("PUT", path, subscriptionOf(`${ENDPOINT}${id}`));
  const { pushSubscription } = v.parse(pushSubscriptionAnswer, body);
  return { browser, params: { id, subscriptionId: pushSubscription.id } };
}
