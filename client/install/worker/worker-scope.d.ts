// What the service worker uses of its global scope. TypeScript's own declarations of it contradict those of pages, which the rest
// of the client has.

interface WaitingEvent extends Event {
  waitUntil: (work: Promise<unknown>) => void;
}

interface RequestEvent extends WaitingEvent {
  readonly request: Request;
  /** The answer that the browser has begun to fetch before the worker was running; undefined without that. */
  readonly preloadResponse?: Promise<Response | undefined>;
  respondWith: (answer: Promise<Response>) => void;
}

interface PushedEvent extends WaitingEvent {
  readonly data: { json: () => unknown } | null;
}

interface NotificationTapEvent extends WaitingEvent {
  readonly notification: Notification;
}

interface SubscriptionChangeEvent extends WaitingEvent {
  /** The one that has ended; some browsers do not name it. */
  readonly oldSubscription?: PushSubscription | null;
  /** The one in its place, if the browser has made it already. */
  readonly newSubscription?: PushSubscription | null;
}

interface WindowEventMap {
  install: WaitingEvent;
  activate: WaitingEvent;
  fetch: RequestEvent;
  push: PushedEvent;
  notificationclick: NotificationTapEvent;
  pushsubscriptionchange: SubscriptionChangeEvent;
}

interface WorkerWindow {
  readonly url: string;
  readonly visibilityState: DocumentVisibilityState;
  focus: () => Promise<WorkerWindow>;
}

declare const clients: {
  matchAll: (options: { type: "window"; includeUncontrolled?: boolean }) => Promise<readonly WorkerWindow[]>;
  openWindow: (path: string) => Promise<WorkerWindow | null>;
};
declare const registration: ServiceWorkerRegistration;
declare function skipWaiting(): Promise<void>;
