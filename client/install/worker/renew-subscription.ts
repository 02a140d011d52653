import { CSRF_HEADER } from "#src/http/contract.ts";
import type { PushSubscriptionsAnswer } from "#src/people/push/schemas.ts";
import type { ProfileView } from "#src/profiles/schemas.ts";

const JSON_TYPE = "application/json";

/**
 * The browser has ended its subscription, or replaced it: the server gets the new one, which shows what the old one did. Nothing
 * happens for a viewer who has signed out; of a subscription that the browser does not name, the next page takes care.
 */
export async function renewSubscription({
  oldSubscription,
  newSubscription,
}: SubscriptionChangeEvent): Promise<void> {
  const me = await fetch("/api/v1/users/me", { headers: { accept: JSON_TYPE } });
  if (!me.ok || oldSubscription == null) return;
  const { user }: { user: Pick<ProfileView, "id"> } = await me.json();
  const path = `/api/v1/users/${user.id}/push_subscriptions`;
  const listed = await fetch(path, { headers: { accept: JSON_TYPE } });
  const { pushSubscriptions, meta }: PushSubscriptionsAnswer = await listed.json();
  const old = pushSubscriptions.find(({ endpoint }) => endpoint === oldSubscription.endpoint);
  if (old === undefined) return;
  const fresh =
    newSubscription ??
    (await registration.pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: meta.publicKey,
    }));
  const { endpoint, keys } = fresh.toJSON();
  const { sessionLive, results } = old;
  const headers = {
    accept: JSON_TYPE,
    "content-type": JSON_TYPE,
    [CSRF_HEADER]: listed.headers.get(CSRF_HEADER) ?? "",
  };
  const body = JSON.stringify({ pushSubscription: { endpoint, ...keys, sessionLive, results } });
  const saved = await fetch(path, { method: "PUT", headers, body });
  if (saved.ok && endpoint !== old.endpoint) await fetch(`${path}/${old.id}`, { method: "DELETE", headers });
}
