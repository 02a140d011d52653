import { type ReactNode, useSyncExternalStore } from "react";
import { Icon, type IconName } from "./icon.tsx";

export type Toast = { id: number; icon: IconName; text: string; urgent: boolean };

const TOASTS_MAX = 2;
const TOAST_MS = 5_000;
const NONE: readonly Toast[] = [];

const listeners = new Set<() => void>();
let toasts: readonly Toast[] = NONE;
let lastId = 0;

/**
 * Shows a short message at the top of the page for 5 seconds. At most two are shown; the oldest is removed.
 * @param urgent screen readers announce it at once; for errors.
 */
export function showToast({
  icon,
  text,
  urgent = false,
}: {
  icon: IconName;
  text: string;
  urgent?: boolean;
}): void {
  lastId += 1;
  const id = lastId;
  setToasts([...toasts, { id, icon, text, urgent }].slice(-TOASTS_MAX));
  setTimeout(() => closeToast(id), TOAST_MS);
}

/** The area where toasts appear, once per page. `children` stay above them. */
export function Toasts({ children }: { children?: ReactNode }) {
  const shown = useSyncExternalStore(
    subscribe,
    () => toasts,
    () => NONE,
  );
  return (
    <div className="toasts">
      {children}
      {shown.map(({ id, icon, text, urgent }) => (
        <div className="toast" key={id} role={urgent ? "alert" : "status"}>
          <Icon name={icon} />
          <span>{text}</span>
          <button className="btn sm" type="button" onClick={() => closeToast(id)}>
            Close
          </button>
        </div>
      ))}
    </div>
  );
}

function closeToast(id: number): void {
  setToasts(toasts.filter((toast) => toast.id !== id));
}

function setToasts(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
