import { type ComponentType, type MouseEvent, type ReactNode, useId, useRef } from "react";
import { Form } from "react-router";
import { CsrfField } from "../frame/csrf-field.tsx";
import { DisabledButton } from "./disabled-button.tsx";
import { Submit } from "./submit.tsx";

type ConfirmProps = {
  /** What stands on the button that asks. */
  label: ReactNode;
  className?: string;
  /** Why it cannot be pressed now; null: it can. */
  why?: string | null;
  /** The key that asks ("T"), where the page listens for such: see client/show/use-hotkeys.ts. */
  hotkey?: string;
  /** The question: "Delete this session?" */
  title: string;
  /** The button that does it, and the form's `intent`. */
  act: { label: string; intent: string; className?: string; busy?: boolean };
  /** The button that leaves all as it is. */
  keep?: string;
  /** The form; the router's where it is left out. */
  form?: ComponentType<{ children: ReactNode }>;
  /** What will happen, and the fields that the form sends along. */
  children: ReactNode;
};

/**
 * A button that asks first. The question is a dialog: the page behind it waits, Escape and the button beside leave all as it
 * is. Without script the same dialog opens as a popover and its form is sent in the ordinary way.
 */
export function Confirm({ label, className = "btn", why = null, hotkey, ...question }: ConfirmProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  if (why !== null) {
    return (
      <DisabledButton className={className} why={why}>
        {label}
      </DisabledButton>
    );
  }
  const ask = (event: MouseEvent) => {
    // Opened by script it holds the focus; as a popover it would not.
    event.preventDefault();
    if (dialog.current?.open !== false) return;
    // Read before the dialog takes the focus.
    const isHeld = event.detail === 0 && document.activeElement === event.currentTarget;
    dialog.current.showModal();
    firstIn(dialog.current, isHeld ? "keep" : "act")?.focus();
  };
  return (
    <>
      <button
        className={className}
        type="button"
        popoverTarget={id}
        aria-haspopup="dialog"
        data-key={hotkey}
        aria-keyshortcuts={hotkey}
        onClick={ask}
      >
        {label}
      </button>
      <dialog
        className="dialog"
        id={id}
        ref={dialog}
        popover="auto"
        role="alertdialog"
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-text`}
        // What a form inside sends is on its way: the question is answered.
        onSubmit={() => dialog.current?.close()}
      >
        <Question id={id} {...question} close={() => dialog.current?.close()} />
      </dialog>
    </>
  );
}

/**
 * Where the focus goes: to what must be written; else to the answer, except where the key that asked may still be held down
 * and would answer too. There it goes to the way out.
 */
function firstIn(dialog: HTMLDialogElement, answer: "act" | "keep"): HTMLElement | null {
  const type = answer === "act" ? "submit" : "button";
  return dialog.querySelector<HTMLElement>(`textarea[required], footer [type="${type}"]`);
}

type QuestionProps = Omit<ConfirmProps, "label" | "className" | "why"> & { id: string; close: () => void };

function Question({ id, title, act, keep = "Cancel", form: Around = RouterForm, ...props }: QuestionProps) {
  const { label, className = "btn primary", ...submit } = act;
  return (
    <Around>
      <h2 id={`${id}-title`}>{title}</h2>
      <div className="stack" id={`${id}-text`}>
        {props.children}
      </div>
      <footer>
        <button
          className="btn"
          type="button"
          popoverTarget={id}
          popoverTargetAction="hide"
          onClick={props.close}
        >
          {keep}
        </button>
        <Submit className={className} {...submit}>
          {label}
        </Submit>
      </footer>
    </Around>
  );
}

function RouterForm({ children }: { children: ReactNode }) {
  return (
    <Form method="post">
      <CsrfField />
      {children}
    </Form>
  );
}
