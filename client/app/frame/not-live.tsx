import { Link, useLocation } from "react-router";
import { useSync } from "#client/base/live/connection.ts";
import * as texts from "#client/ui/frame-texts.ts";
import { Icon } from "#client/ui/icon.tsx";

/** Says that the server does not let this page follow the game any more, and offers to load it again. */
export function NotLive() {
  const { pathname, search } = useLocation();
  if (useSync() !== "refused") return null;
  return (
    <div className="toast" role="alert">
      <Icon name="offline" />
      <span>{texts.notLiveNotice}</span>
      <Link className="btn sm" to={pathname + search} reloadDocument>
        {texts.reload}
      </Link>
    </div>
  );
}
