import { useEffect, useId, useRef, useState } from "react";
import { useApi, useViewer } from "../base/page/context.ts";
import { Switch } from "../ui/switch.tsx";
import { isForHomeScreen } from "./install-entry.tsx";
import { installTexts } from "./install-texts.ts";
import { canSubscribe, isExpected, readWanted, type Subscriber, want, type Wanted } from "./subscription.ts";

const { push: texts } = installTexts;

/**
 * Which messages this device shows while no page is open: all off at first. Below the notifications, and where somebody wants to be
 * reminded.
 * @param props.onChange called when the server has taken a change.
 */
export function PushPanel({ onChange }: { onChange?: () => void }) {
  const viewer = useViewer();
  const api = useApi();
  const heading = useId();
  if (viewer === null || (isSecureContext && !canSubscribe() && !isForHomeScreen())) return null;
  return (
    <section className="device" aria-labelledby={heading}>
      <p className="small strong" id={heading}>
        {texts.heading}
      </p>
      {canSubscribe() ? (
        <Switches subscriber={{ viewer, api }} onChange={onChange} />
      ) : (
        <p className="small ink2">{isSecureContext ? texts.installFirst : texts.needsHttps}</p>
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
        <Switch
          words={texts}
          key={kind}
          label={texts[kind]}
          isOn={wanted[kind]}
          onToggle={() => toggle(kind)}
        />
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
  const [say, setSay] = useState(Notification.permission === "denied" ? texts.blocked : "");
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
  return permission === "denied" ? texts.blocked : texts.notAsked;
}

/** @returns what to say if nothing was changed; otherwise null. */
async function change(wanted: Wanted, subscriber: Subscriber): Promise<string | null> {
  try {
    await want(wanted, subscriber);
    return null;
  } catch (error) {
    ignoreExpected(error);
    return texts.failed;
  }
}

function ignoreExpected(error: unknown): void {
  if (!isExpected(error)) throw error;
}
