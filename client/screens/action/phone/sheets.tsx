import type { MouseEvent } from "react";
import { ChatSheet } from "./chat-sheet.tsx";
import { LeadersSheet } from "./leaders-sheet.tsx";
import { Reactions } from "./reactions.tsx";
import { openSheet, useSheetHistory } from "./sheet-history.ts";

/** The sheets of the Action screen, and the reactions in its ticker. */
export function Sheets() {
  useSheetHistory();
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
