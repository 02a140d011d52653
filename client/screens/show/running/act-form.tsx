import type { ComponentProps, FormEvent, ReactNode } from "react";
import { Confirm } from "#client/ui/confirm.tsx";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { Submit } from "#client/ui/submit.tsx";
import type { EventView } from "#src/show/events/schemas.ts";
import type { DisabledReason } from "./disabled-reason.ts";
import { useShow } from "./show-context.ts";
import { keyOf } from "./use-acting.ts";

type ActFormProps = {
  className?: string;
  /** Called after the form's action succeeded. */
  onDone?: (form: HTMLFormElement) => void;
  children: ReactNode;
};

/** A form of the Admin tab: the page stays while it is submitted. Without JavaScript it is an ordinary form. */
export function ActForm({ className = "act-form", onDone, children }: ActFormProps) {
  const { acting } = useShow();
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const { nativeEvent } = event;
    const submitter = nativeEvent instanceof SubmitEvent ? nativeEvent.submitter : null;
    if (await acting.act(new FormData(form, submitter))) onDone?.(form);
  };
  return (
    <form className={className} method="post" onSubmit={(event) => void send(event)}>
      <CsrfField />
      {children}
    </form>
  );
}

/** A button that asks before it acts. */
export function AskAct({ act, ...question }: Omit<ComponentProps<typeof Confirm>, "form">) {
  const { acting } = useShow();
  const busy = acting.busy.has(keyOf(act.intent, ""));
  return <Confirm {...question} form={ActForm} act={{ ...act, busy }} />;
}

export function AboutEvent({ event }: { event: EventView }) {
  return <input type="hidden" name="event_id" value={event.id} />;
}

type ActSubmitProps = Omit<ComponentProps<typeof Submit>, "busy"> & {
  intent: string;
  /** The event to act on; the session if omitted. */
  event?: EventView | undefined;
};

/** The button of an `ActForm`. */
export function ActSubmit({ event, ...submit }: ActSubmitProps) {
  const { acting } = useShow();
  return <Submit {...submit} busy={acting.busy.has(keyOf(submit.intent, event?.id ?? ""))} />;
}

type ActProps = ActSubmitProps & {
  disabledReason: DisabledReason;
  fields?: Readonly<Record<string, string>>;
};

/** A button that performs one act without further questions. */
export function Act({ event, className = "btn", fields = {}, ...submit }: ActProps) {
  return (
    <ActForm>
      {event === undefined ? null : <AboutEvent event={event} />}
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <ActSubmit event={event} className={className} {...submit} />
    </ActForm>
  );
}

/** The keyboard shortcut of a button. Screen readers read `aria-keyshortcuts` instead. */
export function KeyCap({ name }: { name: string }) {
  return (
    <kbd className="cap" aria-hidden="true">
      {name}
    </kbd>
  );
}
