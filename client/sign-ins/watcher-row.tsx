import { Link, useLocation } from "react-router";
import * as texts from "./play-along-texts.ts";
import { PlayAsGuest } from "./play-as-guest-form.tsx";

/** Shown instead of the wager to signed-out viewers: how to start playing. */
export function WatcherRow() {
  const { pathname } = useLocation();
  return (
    <div className="wager watcher" role="group" aria-label={texts.playAlong}>
      <PlayAsGuest returnTo={pathname} className="btn primary wide" />
      <Link
        className="btn ghost wide"
        to={`/users/sign_in?${new URLSearchParams({ return_to: pathname }).toString()}`}
      >
        {texts.signIn}
      </Link>
    </div>
  );
}
