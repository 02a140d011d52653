import { Link } from "react-router";
import { LIVE_CHAT_PATH } from "../ui/navigation.ts";
import * as texts from "./action-texts.ts";

type ChatLinkProps = { slug: string; className?: string };

/** The way to the chat for browsers without script, where the buttons that open it do nothing. With script it is hidden. */
export function ChatLink({ slug, className = "" }: ChatLinkProps) {
  return (
    <Link className={`chat-link ${className}`} to={`/sessions/${slug}${LIVE_CHAT_PATH}`}>
      {texts.chat}
    </Link>
  );
}
