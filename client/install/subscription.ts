import type { ViewerView } from "#src/people/sign-ins/schemas.ts";
import { type Api, ApiError } from "../base/api/api.ts";
import { Unreachable } from "../base/api/request-with-retry.ts";
import { readStored, store } from "../base/browser/storage.ts";

let registering: Promise<ServiceWorkerRegistration | null> | null = null;

const WANTED_KEY = "push";
const CONFIRMED_KEY = "push-confirmed";
const FORMAT = /^(\d+) ([01])([01])$/;

/** Which messages this device shows. */
export type Wanted = { sessionLive: boolean; results: boolean };
export type Subscriber = { viewer: ViewerView; api: Api };

const NOTHING: Wanted = { sessionLive: false, results: false };

/** True if this browser can show messages. */
export function canSubscribe(): boolean {
  return "PushManager" in globalThis && "Notification" in globalThis && "serviceWorker" in navigator;
}

/** Which messages the server sends to this device. */
export async function readWanted({ viewer, api }: Subscriber): Promise<Wanted> {
  const current = await currentSubscription();
  if (current === null || Notification.permission !== "granted") return NOTHING;
  const { pushSubscriptions } = await api.get(`/api/v1/users/${viewer.id}/push_subscriptions`);
  const here = pushSubscriptions.find(({ endpoint }) => endpoint === current.endpoint);
  return here === undefined ? NOTHING : { sessionLive: here.sessionLive, results: here.results };
}

/** Lets the server send these messages to this device; none of them unsubscribes it. @throws if that is refused or unreachable. */
export async function want(wanted: Wanted, { viewer, api }: Subscriber): Promise<void> {
  const path = `/api/v1/users/${viewer.id}/push_subscriptions` as const;
  const { pushSubscriptions, meta } = await api.get(path);
  if (!wanted.sessionLive && !wanted.results) {
    const current = await currentSubscription();
    const here = pushSubscriptions.find(({ endpoint }) => endpoint === current?.endpoint);
    if (here !== undefined) await api.delete(`${path}/${here.id}`);
    await unsubscribe();
    return;
  }
  const { endpoint, keys } = (await subscribe(meta.publicKey)).toJSON();
  await api.put(path, { pushSubscription: { endpoint, ...keys, ...wanted } });
  rememberWanted({ userId: viewer.id, ...wanted });
  rememberConfirmed(signInOf(viewer));
}

/**
 * Keeps the subscription of this device right. Once per tab and sign-in it is sent to the server again, because new keys of the
 * server or a new sign-in end it. Where another player has signed in, or messages are not allowed any more, it is ended.
 */
export async function followSubscriber(viewer: ViewerView | null, api: Api): Promise<void> {
  const remembered = recallWanted();
  if (remembered === null || !canSubscribe()) return;
  if (viewer === null) {
    rememberConfirmed(null);
    return;
  }
  const { userId, ...wanted } = remembered;
  try {
    if (userId !== viewer.id || Notification.permission !== "granted") await unsubscribe();
    else if (!isConfirmed(signInOf(viewer))) await want(wanted, { viewer, api });
  } catch (error) {
    // Nobody has asked for it now: the next tab tries again.
    if (!isExpected(error)) throw error;
  }
}

/** Ends the subscription of this browser: its push service then accepts nothing for it any more. */
export async function unsubscribe(): Promise<void> {
  rememberWanted(null);
  await (await currentSubscription())?.unsubscribe();
}

/** True for a refusal or a silence of the server or of the push service, whose errors are DOMExceptions. */
export function isExpected(error: unknown): boolean {
  return error instanceof ApiError || error instanceof Unreachable || error instanceof DOMException;
}

/** A guest who registers gets a new sign-in. */
function signInOf({ id, guest }: ViewerView): string {
  return `${id} ${guest}`;
}

async function currentSubscription(): Promise<PushSubscription | null> {
  if (!canSubscribe()) return null;
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** Subscribes at the browser's push service with the product's key. A subscription with another key is of no use any more. */
async function subscribe(publicKey: string): Promise<PushSubscription> {
  const registration = await registerWorker();
  if (registration === null) throw new DOMException("This browser allows no service worker.");
  const { pushManager } = await navigator.serviceWorker.ready;
  const current = await pushManager.getSubscription();
  if (current !== null && !hasKey(current, publicKey)) await current.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
}

/** Registers the service worker, once per page. @returns null where there can be none; the product works without. */
export function registerWorker(): Promise<ServiceWorkerRegistration | null> {
  registering ??= register();
  return registering;
}

async function register(): Promise<ServiceWorkerRegistration | null> {
  if (!("serviceWorker" in navigator)) return null;
  try {
    // Tools that switch service workers off answer with nothing.
    const registered: Promise<ServiceWorkerRegistration | undefined> =
      navigator.serviceWorker.register("/service-worker.js");
    return (await registered) ?? null;
  } catch {
    return null;
  }
}

function hasKey({ options: { applicationServerKey } }: PushSubscription, publicKey: string): boolean {
  if (applicationServerKey === null) return false;
  const bytes = String.fromCodePoint(...new Uint8Array(applicationServerKey));
  return btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "") === publicKey;
}

/** Which messages this device shows, and to whom. */
type Remembered = { userId: number; sessionLive: boolean; results: boolean };

// The server has the truth. This is what the device needs to notice that the server's part has ended, or that another player has
// signed in. Without storage nothing is noticed, and the settings show what is.

/** What the device was last set to; null if it shows no messages. */
function recallWanted(): Remembered | null {
  const [, userId, sessionLive, results] = FORMAT.exec(readStored(WANTED_KEY) ?? "") ?? [];
  if (userId === undefined) return null;
  return { userId: Number(userId), sessionLive: sessionLive === "1", results: results === "1" };
}

/** @param wanted null: it shows no messages any more. */
function rememberWanted(wanted: Remembered | null): void {
  const flag = (isOn: boolean) => (isOn ? "1" : "0");
  const text = wanted === null ? null : `${wanted.userId} ${flag(wanted.sessionLive)}${flag(wanted.results)}`;
  store(WANTED_KEY, text);
}

/** True if this tab has sent this sign-in to the server. */
function isConfirmed(signIn: string): boolean {
  return readStored(CONFIRMED_KEY, "sessionStorage") === signIn;
}

/** @param signIn null: the viewer is signed out, and the next sign-in has to be sent. */
function rememberConfirmed(signIn: string | null): void {
  store(CONFIRMED_KEY, signIn, "sessionStorage");
}
