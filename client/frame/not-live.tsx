import { Link, useLocation } from "react-router";
import { useSync } from "../connection.ts";
import { Icon } from "../ui/icon.tsx";
import * as texts from "./frame-texts.ts";

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
