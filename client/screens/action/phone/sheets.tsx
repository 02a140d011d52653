import { type MouseEvent, useState } from "react";
import { Link } from "react-router";
import { useAwake } from "#client/base/browser/use-awake.ts";
import { useViewer } from "#client/base/page/context.ts";
import { ChatPanel } from "#client/chat/chat-panel.tsx";
import { useVisibleHeight } from "#client/chat/use-visible-height.ts";
import { useView } from "#client/events/view.ts";
import { BottomSheet } from "./bottom-sheet.tsx";
import { LeadersSheet } from "./leaders-sheet.tsx";
import { chatTexts } from "./phone-texts.ts";
import { ReactionRow, Reactions } from "./reactions.tsx";
import { openSheet, useOpenSheet, useSheetHistory } from "./sheet-history.ts";

/** The sheets of the Action screen, and the reactions in its ticker. While a question is open, the device stays awake. */
export function Sheets() {
  useSheetHistory();
  useAwake(["open", "closing", "locking"].includes(useView().phase));
  return (
    <>
      <LeadersSheet />
      <ChatSheet />
      <Reactions />
    </>
  );
}

/** Opens the leaders instead of following the link to their page, except in another tab. */
export function openLeaders(event: MouseEvent): void {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  openSheet("leaders");
}

/**
 * The chat of the session on a phone. Once opened it stays connected while it is closed, so that a message that is being sent or
 * was refused is still there.
 */
function ChatSheet() {
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
