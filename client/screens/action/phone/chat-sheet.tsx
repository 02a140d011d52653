import { useState } from "react";
import { Link } from "react-router";
import { useViewer } from "#client/base/page/context.ts";
import { ChatPanel } from "#client/chat/chat-panel.tsx";
import { useVisibleHeight } from "#client/chat/use-visible-height.ts";
import { useView } from "#client/events/view.ts";
import { BottomSheet } from "./bottom-sheet.tsx";
import { chatTexts } from "./phone-texts.ts";
import { ReactionRow } from "./reactions.tsx";
import { useOpenSheet } from "./sheet-history.ts";

/**
 * The chat of the session on a phone. Once opened it stays connected while it is closed, so that a message that is being sent or
 * was refused is still there.
 */
export function ChatSheet() {
  const { state } = useView();
  const guest = useViewer()?.guest === true;
  const open = useOpenSheet() === "chat";
  const [opened, setOpened] = useState(open);
  if (open && !opened) setOpened(true);
  useVisibleHeight(open);
  return (
    <BottomSheet name="chat" title={chatTexts.title}>
      <ReactionRow />
      {guest ? <GuestWords /> : null}
      {opened && !guest ? <ChatPanel session={state.session} /> : null}
    </BottomSheet>
  );
}

function GuestWords() {
  return (
    <p className="bottom-sheet-body small ink2 nothing">
      {chatTexts.guest} <Link to="/users/guest_registration">{chatTexts.finish}</Link>
    </p>
  );
}
