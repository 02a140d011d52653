import {
  type ComponentType,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
} from "react";
import { Form } from "react-router";
import * as words from "#client/base/format/words.ts";
import { CsrfField } from "./csrf-field.tsx";
import { DisabledButton } from "./disabled-button.tsx";
import { Submit } from "./submit.tsx";

type ConfirmProps = {
  /** The label of the button that opens the question. */
  label: ReactNode;
  className?: string;
  /** Why the button is disabled; null: it is enabled. */
  disabledReason?: string | null;
  title: string;
  /** The button that confirms, and the form's `intent`. */
  act: { label: string; intent: string; className?: string; busy?: boolean; disabledReason?: string | null };
  cancelLabel?: string;
  /** The form component; by default the router's. */
  form?: ComponentType<{ children: ReactNode }>;
  /** Why its form was refused. Each new refusal opens the question again, with its errors. */
  refusal?: unknown;
  /** What will happen, and the form's fields. */
  children: ReactNode;
};

/** A button that asks before it acts, by a modal dialog. Without JavaScript the same dialog opens as a popover. */
export function Confirm({
  label,
  className = "btn",
  disabledReason = null,
  refusal,
  ...question
}: ConfirmProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useReopening(dialog, refusal);
  const id = useId();
  if (disabledReason !== null) {
    return (
      <DisabledButton className={className} disabledReason={disabledReason}>
        {label}
      </DisabledButton>
    );
  }
  const ask = (event: MouseEvent) => {
    // A modal dialog traps the focus; a popover would not.
    event.preventDefault();
    if (dialog.current?.open !== false) return;
    // Read before the dialog takes the focus. `detail` is 0 for a click by keyboard.
    const byKeyboard = event.detail === 0 && document.activeElement === event.currentTarget;
    dialog.current.showModal();
    firstIn(dialog.current, byKeyboard ? "cancel" : "act")?.focus();
  };
  return (
    <>
      <button className={className} type="button" popoverTarget={id} aria-haspopup="dialog" onClick={ask}>
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
        // The form was sent: the question is answered.
        onSubmit={() => dialog.current?.close()}
      >
        <Question id={id} {...question} close={() => dialog.current?.close()} />
      </dialog>
    </>
  );
}

/** A required field, else the confirm button; after a key press the cancel button, because the key may still be down. */
function firstIn(dialog: HTMLDialogElement, button: "act" | "cancel"): HTMLElement | null {
  const type = button === "act" ? "submit" : "button";
  return dialog.querySelector<HTMLElement>(`textarea[required], footer [type="${type}"]`);
}

/** Opens the question again when its form is refused, at its first error. */
function useReopening(inside: RefObject<HTMLDialogElement | null>, refusal: unknown): void {
  useEffect(() => {
    const dialog = inside.current;
    if (refusal === undefined || dialog === null || dialog.open) return;
    dialog.showModal();
    dialog.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [inside, refusal]);
}

type QuestionProps = Omit<ConfirmProps, "label" | "className" | "disabledReason" | "refusal"> & {
  id: string;
  close: () => void;
};

function Question({
  id,
  title,
  act,
  cancelLabel = words.cancel,
  form: Around = RouterForm,
  ...props
}: QuestionProps) {
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
          {cancelLabel}
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
