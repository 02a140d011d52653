import { answerAsset, fillCache, letNextWorkerIn, removeOlderCaches, TAKE_OVER } from "./cached-assets.ts";
import { openMessage, showMessage } from "./messages.ts";
import { answerNavigation } from "./offline.ts";
import { renewSubscription } from "./renew-subscription.ts";

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
    event.respondWith(answerNavigation(event));
    event.waitUntil(letNextWorkerIn());
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
