import { useEffect, useRef } from "react";
import { useBlocker } from "react-router";

/** While `when` is true, leaving the page asks first: with a dialog of the app, or the browser's own when the tab closes. */
export function LeaveGuard({ when }: { when: boolean }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => when && currentLocation.pathname !== nextLocation.pathname,
  );
  const asking = blocker.state === "blocked";
  useEffect(() => {
    if (asking) dialog.current?.showModal();
    else dialog.current?.close();
  }, [asking]);
  useEffect(() => {
    if (!when) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    globalThis.addEventListener("beforeunload", ask);
    return () => globalThis.removeEventListener("beforeunload", ask);
  }, [when]);
  const stay = () => blocker.reset?.();
  return (
    <dialog className="dialog" ref={dialog} aria-labelledby="leave-title" onCancel={stay}>
      <h2 id="leave-title">Leave without saving?</h2>
      <p>What you changed on this page is not saved yet.</p>
      <footer>
        <button className="btn" type="button" onClick={() => blocker.proceed?.()}>
          Leave
        </button>
        <button className="btn primary" type="button" onClick={stay}>
          Stay
        </button>
      </footer>
    </dialog>
  );
}
