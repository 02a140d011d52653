import { Link, useLocation } from "react-router";
import * as words from "#client/base/format/words.ts";
import { PlayAsGuest } from "./play-as-guest-form.tsx";

/** Shown instead of the wager to signed-out viewers: how to start playing. */
export function WatcherRow() {
  const { pathname } = useLocation();
  return (
    <div className="wager watcher" role="group" aria-label="Play along">
      <PlayAsGuest returnTo={pathname} className="btn primary wide" />
      <Link
        className="btn ghost wide"
        to={`/users/sign_in?${new URLSearchParams({ return_to: pathname }).toString()}`}
      >
        {words.signIn}
      </Link>
    </div>
  );
}
