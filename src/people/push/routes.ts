import type { Deps } from "#src/base/deps.ts";
import { unauthenticated } from "#src/base/refusal.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import { pushEndpoints } from "./endpoints.ts";
import { listSubscriptions, removeSubscription, saveSubscription } from "./save-subscription.ts";

export function pushRoutes(deps: Deps) {
  const { db } = deps.pool;
  return serveEndpoints(pushEndpoints, {
    listPushSubscriptions: ({ params }) => listSubscriptions(db, params.id, deps.env.push),
    savePushSubscription: async ({ params, body, authentication: { signInId } }) => {
      if (signInId === null) throw unauthenticated();
      const subscriber = { userId: params.id, signInId };
      return { pushSubscription: await saveSubscription(deps, subscriber, body.pushSubscription) };
    },
    removePushSubscription: ({ params }) =>
      removeSubscription(db, { id: params.subscriptionId, userId: params.id }),
  });
}
