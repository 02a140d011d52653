import { useState } from "react";
import { Form } from "react-router";
import * as texts from "#client/blueprints/blueprints-texts.ts";
import { Choice } from "#client/ui/choice.tsx";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { Field } from "#client/ui/field.tsx";
import { Note } from "#client/ui/note.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { useErrorFocus } from "#client/ui/use-error-focus.ts";
import { blueprintLimits } from "#src/show/blueprints/contract.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import type { BlueprintRefused } from "./create-blueprint.ts";
import { FileChoice, useDroppedFile } from "./file-choice.tsx";

type FormProps = { refused: BlueprintRefused | undefined };

/** Makes a blueprint from an exported one, or from a list of questions. */
export function BringForm({ refused }: FormProps) {
  const [text, setText] = useState(refused?.text ?? "");
  const form = useErrorFocus<HTMLFormElement>(refused);
  const { fault, take, dropping } = useDroppedFile(setText);
  return (
    <Form method="post" className="panel pad stack" ref={form} {...dropping}>
      <h2 className="panel-title">{texts.bringTitle}</h2>
      <p className="small ink2">{texts.bringHint}</p>
      {refused === undefined ? null : <Note tone="bad">{refused.refusal}</Note>}
      {fault === null ? null : <Note tone="bad">{fault}</Note>}
      <CsrfField />
      <Field
        label={texts.bringText}
        id="bring-text"
        name="text"
        type="textarea"
        rows={4}
        value={text}
        onValue={setText}
        errors={refused?.errors["text"]}
      />
      <FileChoice take={take} />
      <Field
        label={texts.bringName}
        id="bring-name"
        name="name"
        optional
        maxLength={blueprintLimits.nameLengthMax}
        value={refused?.fields.name ?? ""}
        errors={refused?.errors["name"]}
      />
      <div className="row">
        <Submit intent="import" className="btn">
          {texts.bringButton}
        </Submit>
      </div>
    </Form>
  );
}

/** Makes a blueprint from what a session has asked. Hidden while no session is over. */
export function FromSessionForm({ sessions, refused }: FormProps & { sessions: readonly SessionView[] }) {
  const form = useErrorFocus<HTMLFormElement>(refused);
  if (sessions.length === 0) return null;
  return (
    <Form method="post" className="panel pad stack" ref={form}>
      <h2 className="panel-title">{texts.fromSessionTitle}</h2>
      <p className="small ink2">{texts.fromSessionHint}</p>
      {refused === undefined ? null : <Note tone="bad">{refused.refusal}</Note>}
      <CsrfField />
      <Choice
        label={texts.pastSession}
        name="session"
        options={sessions.map(({ slug, name }) => ({ value: slug, label: name }))}
        errors={refused?.errors["session"]}
      />
      <div className="row">
        <Submit intent="from_session" className="btn">
          {texts.fromSessionButton}
        </Submit>
      </div>
    </Form>
  );
}
