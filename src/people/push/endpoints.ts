import { unauthenticated } from "#src/base/refusal.ts";
import { rates } from "#src/http/rates.ts";
import { endpoint } from "#src/people/sign-ins/serve-endpoints.ts";
import { listSubscriptions, removeSubscription, saveSubscription } from "./save-subscription.ts";
import { pushSubscriptionAnswer, pushSubscriptionBody, pushSubscriptionsAnswer } from "./schemas.ts";

/** The browsers that show a user's messages while no page is open. Only the user sees and changes them. */
export const pushEndpoints = {
  listPushSubscriptions: endpoint({
    route: "GET /api/v1/users/:id/push_subscriptions",
    summary: "Lists the browsers that show the user's messages while no page is open",
    notes: "`meta.publicKey` is the key with which a browser subscribes at its push service.",
    who: "self",
    token: "none",
    answer: pushSubscriptionsAnswer,
    handle: (deps, { params }) => listSubscriptions(deps.pool.db, params.id, deps.env.push),
  }),
  savePushSubscription: endpoint({
    route: "PUT /api/v1/users/:id/push_subscriptions",
    summary: "Subscribes this browser to the user's messages, or changes which of them it shows",
    notes:
      "A user has at most 10. One more replaces the browser that has not been there for the longest time.",
    who: "self",
    rate: rates.subscribe,
    body: { pushSubscription: pushSubscriptionBody },
    answer: pushSubscriptionAnswer,
    refusals: {
      invalid: "The endpoint is not a public https address, a key is wrong, or no message is wanted.",
    },
    handle: async (deps, { params, body, authentication: { signInId } }) => {
      if (signInId === null) throw unauthenticated();
      const subscriber = { userId: params.id, signInId };
      return { pushSubscription: await saveSubscription(deps, subscriber, body.pushSubscription) };
    },
  }),
  removePushSubscription: endpoint({
    route: "DELETE /api/v1/users/:id/push_subscriptions/:subscriptionId",
    summary: "Stops the messages to a browser",
    who: "self",
    handle: (deps, { params }) =>
      removeSubscription(deps.pool.db, { id: params.subscriptionId, userId: params.id }),
  }),
};
