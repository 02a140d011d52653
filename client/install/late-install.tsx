import { useEffect, useId, useRef, useState } from "react";
import { storeDelay } from "#client/base/delay/device-delay.ts";
import type { ViewerView } from "#src/people/sign-ins/schemas.ts";
import { type Api, ApiError } from "../base/api/api.ts";
import { Unreachable } from "../base/api/request-with-retry.ts";
import { readStored, store } from "../base/browser/storage.ts";
import { useStore } from "../base/browser/store.ts";
import { useApi, useViewer } from "../base/page/context.ts";
import type { Page } from "../base/page/page.ts";
import { Icon } from "../ui/icon.tsx";
import { Switch } from "../ui/switch.tsx";
import { installOffer } from "./offer.ts";

const install = "Install app";
const blocked =
  "Your browser blocks messages from this site. Allow them in the site's settings, beside the address, and open this list again.";
const kinds = { sessionLive: "When a session is live", results: "With my results" } as const;

/** Starts what an installed app is more than a page. */
export function followInstall(page: Page, api: Api): void {
  void registerWorker();
  followTheme();
  // Without storage the worker cannot read the delay.
  void storeDelay(page.delaySeconds).catch(() => undefined);
  void followSubscriber(page.viewer, api);
}

/** Colours the bars of the system like the page, when the player chooses another theme. The next page comes with the colour. */
function followTheme(): void {
  new MutationObserver(() => {
    const color = getComputedStyle(document.body).backgroundColor;
    for (const meta of document.querySelectorAll('meta[name="theme-color"]'))
      meta.setAttribute("content", color);
  }).observe(document.documentElement, { attributeFilter: ["data-theme"] });
}

/** The menu's entry that installs the app, where the browser offers it. On iOS it says how to do it by hand. */
export function InstallEntry() {
  const offer = useStore(installOffer);
  const [isExplained, setExplained] = useState(false);
  if (offer === null && !isForHomeScreen()) return null;
  const press = () => {
    if (offer === null) return setExplained(true);
    // An offer can be used once. The browser makes another with the next page.
    installOffer.set(null);
    void offer.prompt();
  };
  return (
    <nav aria-label={install}>
      <button type="button" onClick={press}>
        <Icon name="down" />
        {install}
      </button>
      <p className="small ink2 hint" role="status">
        {isExplained ? "Tap Share, then Add to Home Screen." : ""}
      </p>
    </nav>
  );
}

/** iOS has no offer: its browsers install from their Share menu. */
function isForHomeScreen(): boolean {
  return isAppleTouch() && !matchMedia("(display-mode: standalone)").matches;
}

/** An iPad says that it is a Mac; no Mac is touched with five fingers. */
function isAppleTouch(): boolean {
  const { userAgent, maxTouchPoints } = navigator;
  return /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes("Macintosh") && maxTouchPoints > 1);
}

/** Which messages this device shows while no page is open. @param props.onChange called when the server has taken a change. */
export function PushPanel({ onChange }: { onChange?: () => void }) {
  const viewer = useViewer();
  const api = useApi();
  const heading = useId();
  if (viewer === null || (isSecureContext && !canSubscribe() && !isForHomeScreen())) return null;
  return (
    <section className="device" aria-labelledby={heading}>
      <p className="small strong" id={heading}>
        Notify me on this device
      </p>
      {canSubscribe() ? (
        <Switches subscriber={{ viewer, api }} onChange={onChange} />
      ) : (
        <p className="small ink2">
          {isSecureContext
            ? "On an iPhone or iPad, install the app first: tap Share, then Add to Home Screen."
            : "This address has no https, so this device can show no messages and install no app."}
        </p>
      )}
    </section>
  );
}

function Switches({ subscriber, onChange }: { subscriber: Subscriber; onChange: (() => void) | undefined }) {
  const { wanted, say, toggle } = useWanted(subscriber, onChange);
  return (
    <>
      {(["sessionLive", "results"] as const).map((kind) => (
        <Switch key={kind} label={kinds[kind]} isOn={wanted[kind]} onToggle={() => toggle(kind)} />
      ))}
      <p className="small ink2" role="status">
        {say}
      </p>
    </>
  );
}

/** What the device shows, what to say about it, and the switches. Taps take effect one after the other. */
function useWanted({ viewer, api }: Subscriber, onChange: (() => void) | undefined) {
  const [wanted, setWanted] = useState<Wanted>({ sessionLive: false, results: false });
  const [say, setSay] = useState(Notification.permission === "denied" ? blocked : "");
  const latest = useRef(wanted);
  const pending = useRef<Promise<void>>(Promise.resolve());
  const show = (next: Wanted) => {
    latest.current = next;
    setWanted(next);
  };
  useEffect(() => {
    pending.current = readWanted({ viewer, api }).then(show, ignoreExpected);
  }, [viewer, api]);
  const toggle = (kind: keyof Wanted) => {
    // The browser asks the player only in the task of a tap.
    const permission = Notification.requestPermission();
    const apply = async () => {
      const next = { ...latest.current, [kind]: !latest.current[kind] };
      const refusal = refusalOf(await permission) ?? (await change(next, { viewer, api }));
      setSay(refusal ?? "");
      if (refusal !== null) return;
      show(next);
      onChange?.();
    };
    pending.current = pending.current.then(apply);
  };
  return { wanted, say, toggle };
}

/** What to say if the player or the browser does not allow messages; otherwise null. */
function refusalOf(permission: NotificationPermission): string | null {
  if (permission === "granted") return null;
  return permission === "denied" ? blocked : "Your browser did not allow messages. Nothing was switched on.";
}

/** @returns what to say if nothing was changed; otherwise null. */
async function change(wanted: Wanted, subscriber: Subscriber): Promise<string | null> {
  try {
    await want(wanted, subscriber);
    return null;
  } catch (error) {
    ignoreExpected(error);
    return "That did not work. Try again in a moment.";
  }
}

function ignoreExpected(error: unknown): void {
  if (!isExpected(error)) throw error;
}

let registering: Promise<ServiceWorkerRegistration | null> | null = null;

const WANTED_KEY = "push";
const CONFIRMED_KEY = "push-confirmed";
const FORMAT = /^(\d+) ([01])([01])$/;

/** Which messages this device shows. */
type Wanted = { sessionLive: boolean; results: boolean };
type Subscriber = { viewer: ViewerView; api: Api };

const NOTHING: Wanted = { sessionLive: false, results: false };

/** True if this browser can show messages. */
function canSubscribe(): boolean {
  return "PushManager" in globalThis && "Notification" in globalThis && "serviceWorker" in navigator;
}

/** Which messages the server sends to this device. */
async function readWanted({ viewer, api }: Subscriber): Promise<Wanted> {
  const current = await currentSubscription();
  if (current === null || Notification.permission !== "granted") return NOTHING;
  const { pushSubscriptions } = await api.get(`/api/v1/users/${viewer.id}/push_subscriptions`);
  const here = pushSubscriptions.find(({ endpoint }) => endpoint === current.endpoint);
  return here === undefined ? NOTHING : { sessionLive: here.sessionLive, results: here.results };
}

/** Lets the server send these messages to this device; none of them unsubscribes it. @throws if that is refused or unreachable. */
async function want(wanted: Wanted, { viewer, api }: Subscriber): Promise<void> {
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
async function followSubscriber(viewer: ViewerView | null, api: Api): Promise<void> {
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
function isExpected(error: unknown): boolean {
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
function registerWorker(): Promise<ServiceWorkerRegistration | null> {
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
