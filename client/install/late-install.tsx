import { useEffect, useId, useRef, useState } from "react";
import { storeDelay } from "#client/base/delay/device-delay.ts";
import type { Api } from "../base/api/api.ts";
import { useStore } from "../base/browser/store.ts";
import { useApi, useViewer } from "../base/page/context.ts";
import type { Page } from "../base/page/page.ts";
import { Icon } from "../ui/icon.tsx";
import { Switch } from "../ui/switch.tsx";
import { installOffer } from "./offer.ts";
import {
  canSubscribe,
  followSubscriber,
  isExpected,
  readWanted,
  registerWorker,
  type Subscriber,
  want,
  type Wanted,
} from "./subscription.ts";

export { unsubscribe } from "./subscription.ts";

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

type SwitchesProps = { subscriber: Subscriber; onChange: (() => void) | undefined };

function Switches({ subscriber, onChange }: SwitchesProps) {
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
