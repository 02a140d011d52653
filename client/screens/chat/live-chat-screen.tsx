import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router";
import { ChatScreen } from "./chat-screen.tsx";

/**
 * The chat of a live session for browsers without JavaScript, where the game cannot open it beside the card. With JavaScript the
 * page asks its guard again, which leads players to the live game.
 */
export function LiveChatScreen() {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const here = pathname + search;
  useEffect(() => void navigate(here, { replace: true }), [navigate, here]);
  return <ChatScreen />;
}
