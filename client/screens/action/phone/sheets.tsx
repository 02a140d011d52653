import type { MouseEvent } from "react";
import { useAwake } from "#client/base/browser/use-awake.ts";
import { useView } from "#client/events/view.ts";
import { ChatSheet } from "./chat-sheet.tsx";
import { LeadersSheet } from "./leaders-sheet.tsx";
import { Reactions } from "./reactions.tsx";
import { openSheet, useSheetHistory } from "./sheet-history.ts";

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
