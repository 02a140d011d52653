import { Link } from "react-router";
import * as words from "#client/base/format/words.ts";
import { LIVE_CHAT_PATH } from "../ui/navigation.ts";

type ChatLinkProps = { slug: string; className?: string };

/** Leads browsers without JavaScript to the chat, because the buttons that open it do nothing there. Others do not see it. */
export function ChatLink({ slug, className = "" }: ChatLinkProps) {
  return (
    <Link className={`chat-link ${className}`} to={`/sessions/${slug}${LIVE_CHAT_PATH}`}>
      {words.chat}
    </Link>
  );
}
