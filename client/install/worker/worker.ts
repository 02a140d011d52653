import { readDelay } from "#client/base/delay/device-delay.ts";
import { CSRF_HEADER } from "#src/http/contract.ts";
import type { PushMessage } from "#src/people/push/contract.ts";
import type { PushSubscriptionsAnswer } from "#src/people/push/schemas.ts";
import type { ProfileView } from "#src/profiles/schemas.ts";

/** What the build puts into the worker (client/build/build.ts), at this one place. */
declare const SHELL: {
  /** Changes with the files and the page. */
  version: string;
  /** The addresses of the files that every page needs. */
  files: readonly string[];
  /** The page that is shown without a network, and its content security policy. */
  offlinePage: string;
  offlinePolicy: string;
  /** The addresses of the icons of messages. */
  icon: string;
  badge: string;
};

const shell = SHELL;

const PREFIX = "shell-";
const CACHE = PREFIX + shell.version;

/** The message to a worker that waits: nothing needs the one before it any more. */
const TAKE_OVER = "take over";

const JSON_TYPE = "application/json";

// Decision: the service worker never answers a page, an API request or money from a cache. It keeps files whose names have the
// hash of their content, and one page for the time without a network. A page of another build works with any worker: what is not
// in the cache comes from the network.

self.addEventListener("install", (event) => event.waitUntil(fillCache()));

self.addEventListener("activate", (event) => {
  event.waitUntil(Promise.all([removeOlderCaches(), registration.navigationPreload.enable()]));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (request.mode === "navigate") {
    const answer = answerNavigation(event);
    event.respondWith(answer);
    event.waitUntil(answer.then(letNextWorkerIn));
    return;
  }
  const { origin, pathname } = new URL(request.url);
  if (origin === location.origin && pathname.startsWith("/assets/")) event.respondWith(answerAsset(request));
});

self.addEventListener("message", (event) => {
  if (event.data === TAKE_OVER) void skipWaiting();
});

self.addEventListener("push", (event) => event.waitUntil(showMessage(event.data?.json())));

self.addEventListener("notificationclick", (event) => event.waitUntil(openMessage(event.notification)));

self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renewSubscription(event)));

/** Answers a navigation from the network, and without one with the page that says so. */
async function answerNavigation({ request, preloadResponse }: RequestEvent): Promise<Response> {
  try {
    return (await preloadResponse) ?? (await fetch(request));
  } catch {
    return new Response(shell.offlinePage, {
      status: 503,
      headers: {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": shell.offlinePolicy,
        "cache-control": "no-store",
      },
    });
  }
}

/**
 * Shows a message from the server, without a sound while a page of the product is visible, which says the same. Never nothing: Safari
 * ends the subscription of a site that has shown nothing three times, whatever is visible.
 */
async function showMessage(data: unknown): Promise<void> {
  if (!isMessage(data)) return;
  const pages = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const silent = pages.some(({ visibilityState }) => visibilityState === "visible");
  const { title, body, url, tag } = withoutSpoiler(data, await readDelay().catch(() => 0));
  await registration.showNotification(title, {
    body,
    tag,
    silent,
    data: url,
    icon: shell.icon,
    badge: shell.badge,
    lang: "en",
  });
}

/**
 * On a device with a stream delay a message comes before its viewer's stream: it says that there is news, and the page says what,
 * when its time has come. That a session is live is no spoiler.
 *
 * Decision: the worker does not wait instead. Browsers end a worker that shows nothing for a while, some after 30 seconds, and then
 * show a message of their own, or take the permission away.
 */
function withoutSpoiler(message: PushMessage, delaySeconds: number): PushMessage {
  if (delaySeconds === 0 || message.tag.startsWith("live-")) return message;
  const title = "There is news in your session";
  return { ...message, title, body: "Open it to see what, with your stream delay." };
}

/** Shows the page of a message: the window that has it open, or a new one. */
async function openMessage(notification: Notification): Promise<void> {
  notification.close();
  const path = typeof notification.data === "string" ? notification.data : "/sessions";
  const pages = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const open = pages.find(({ url }) => new URL(url).pathname === path);
  if (open === undefined) await clients.openWindow(path);
  else await open.focus();
}

function isMessage(data: unknown): data is PushMessage {
  return (
    typeof data === "object" &&
    data !== null &&
    "title" in data &&
    typeof data.title === "string" &&
    "url" in data &&
    typeof data.url === "string" &&
    data.url.startsWith("/")
  );
}

/**
 * The browser has ended its subscription, or replaced it: the server gets the new one, which shows what the old one did. Nothing
 * happens for a viewer who has signed out; of a subscription that the browser does not name, the next page takes care.
 */
async function renewSubscription({
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

/** Stores the files that every page needs. A page that is live has them in the browser's own cache, so nothing is fetched twice. */
async function fillCache(): Promise<void> {
  await (await caches.open(CACHE)).addAll(shell.files);
}

/** Answers a file from the cache, and stores one that was not there: under its name there will never be another. */
async function answerAsset(request: Request): Promise<Response> {
  const cached = await caches.match(request.url, { ignoreVary: true });
  if (cached !== undefined) return cached;
  const response = await fetch(request);
  if (response.status === 200 && response.headers.get("cache-control")?.includes("immutable") === true) {
    // A full disk is no reason to fail.
    const copy = response.clone();
    caches
      .open(CACHE)
      .then((cache) => cache.put(request.url, copy))
      .catch(() => undefined);
  }
  return response;
}

/** Only while no other worker is installed or waits: the cache of that one would go, too. */
async function removeOlderCaches(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith(PREFIX) && name !== CACHE).map((name) => caches.delete(name)),
  );
}

/**
 * At a navigation, the worker of the next build takes over if there is one and no other page is open. By itself the browser would
 * wait until all pages are closed, which an installed app may never be. Not while the browser follows a redirect: Chromium would never
 * show the page that comes after it.
 */
async function letNextWorkerIn({ type }: Response): Promise<void> {
  const { waiting, installing } = registration;
  if (type === "opaqueredirect" || installing !== null) return;
  // The worker before may have stored files while this one took over.
  if (waiting === null) return removeOlderCaches();
  const pages = await clients.matchAll({ type: "window" });
  if (pages.length <= 1) waiting.postMessage(TAKE_OVER);
}
