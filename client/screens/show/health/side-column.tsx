import { type KeyboardEvent, type RefObject, useCallback, useEffect, useRef, useState } from "react";
import * as words from "#client/base/format/words.ts";
import { Icon } from "#client/ui/icon.tsx";
import { AuditPanel } from "../audit-panel.tsx";
import * as texts from "../texts/health-texts.ts";
import { Approvals, type Waiting } from "./approvals.tsx";
import { Door } from "./door.tsx";
import { FindPlayers } from "./find-players.tsx";
import { type Health, HealthPanel, useTroubled } from "./health-panel.tsx";
import { NextTransitions } from "./next-transitions.tsx";
import { PacePanel } from "./pace-panel.tsx";

/** The right column where it is not beside the others: a drawer that a button opens. */
export type Drawer = {
  isOpen: boolean;
  toggle: () => void;
  column: RefObject<HTMLElement | null>;
  button: RefObject<HTMLButtonElement | null>;
  /** Escape closes it, and the focus returns to its button. */
  onKeyDown: (event: KeyboardEvent) => void;
};

export function useDrawer(): Drawer {
  const [isOpen, setIsOpen] = useState(false);
  const column = useRef<HTMLElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isOpen) column.current?.focus();
  }, [isOpen]);
  const toggle = useCallback(() => setIsOpen((open) => !open), []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !isOpen) return;
    event.stopPropagation();
    setIsOpen(false);
    button.current?.focus();
  };
  return { isOpen, toggle, column, button, onKeyDown };
}

const SIDE_ID = "side-column";

type SideProps = { health: Health; drawer: Drawer; waiting: Waiting };

/** The right column: what is next, what the show runs on, how calls arrive, who did what, players. */
export function SideColumn({ health, drawer, waiting }: SideProps) {
  const { isOpen, column, onKeyDown } = drawer;
  return (
    <aside
      className={isOpen ? "side-col drawn" : "side-col"}
      id={SIDE_ID}
      ref={column}
      tabIndex={-1}
      aria-label="Health and players"
      onKeyDown={onKeyDown}
    >
      <NextTransitions />
      <Approvals waiting={waiting} />
      <HealthPanel health={health} />
      <PacePanel pace={health.view?.pace ?? null} />
      <Door held={heldIn(health)} />
      <AuditPanel />
      <FindPlayers />
    </aside>
  );
}

/** 0 also where the server is of an earlier release. */
function heldIn({ view }: Health): number {
  return view !== null && "door" in view ? view.door.held : 0;
}

/** The button that opens the column where the window is too narrow to have it beside the others. */
export function SideButton({ health, drawer, waiting }: SideProps) {
  const { isOpen, toggle, button } = drawer;
  const troubled = useTroubled(health);
  const waits = waiting?.messages.length ?? 0;
  return (
    <button
      className="btn side-button"
      type="button"
      ref={button}
      aria-expanded={isOpen}
      aria-controls={SIDE_ID}
      onClick={toggle}
    >
      {troubled ? <Icon name="warning" size="s" /> : null}
      <span>{isOpen ? words.close : "Health"}</span>
      {waits === 0 ? null : <span className="num">{texts.waiting(waits)}</span>}
      {troubled ? <span className="vh">, needs attention</span> : null}
    </button>
  );
}
