import type { ReactNode } from "react";
import * as words from "#client/base/format/words.ts";
import { guardComingAndGoing } from "../base/browser/click-guard.ts";
import { createStore, useStore } from "../base/browser/store.ts";
import { Icon, type IconName } from "./icon.tsx";

type NewToast = { icon: IconName; text: string; urgent: boolean };
export type Toast = NewToast & { id: number; place: (typeof places)[number] };

/** In the row of the tabs, and in that of the ticker: never over the question, the clock or the sides. */
const places = ["top", "end"] as const;
const TOAST_MS = 5_000;
const store = createStore<readonly Toast[]>([]);
let lastId = 0;

/**
 * Shows a message of one line for 5 seconds, which begin when the page is in front. At most two are shown; a third one replaces
 * the oldest.
 * @param urgent screen readers announce it at once; for errors.
 */
export function showToast({
  icon,
  text,
  urgent = false,
}: Omit<NewToast, "urgent"> & { urgent?: boolean }): void {
  lastId += 1;
  const id = lastId;
  const toasts = store.get();
  const place = places.find((each) => toasts.every((toast) => toast.place !== each)) ?? toasts[0]?.place;
  const others = toasts.filter((toast) => toast.place !== place);
  store.set([...others, { id, icon, text, urgent, place: place ?? "top" }]);
  whenVisible(() => setTimeout(() => closeToast(id), TOAST_MS));
}

/** The area where toasts appear, once per page. `children` are below them. */
export function Toasts({ children }: { children?: ReactNode }) {
  return (
    <div className="toasts">
      {children}
      {useStore(store).map(({ id, icon, text, urgent, place }) => (
        <div className={`toast ${place}`} key={id} role={urgent ? "alert" : "status"}>
          <Icon name={icon} />
          <span>{text}</span>
          <button className="btn sm" type="button" onClick={() => closeToast(id)} ref={guardComingAndGoing}>
            {words.close}
          </button>
        </div>
      ))}
    </div>
  );
}

/** Waits for a hidden page to come to the front: nobody has seen what was over before. */
function whenVisible(act: () => void): void {
  if (document.visibilityState === "visible") act();
  else document.addEventListener("visibilitychange", () => whenVisible(act), { once: true });
}

function closeToast(id: number): void {
  store.set(store.get().filter((toast) => toast.id !== id));
}
