import { Form } from "react-router";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import * as texts from "#client/blueprints/blueprints-texts.ts";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { Field, type FieldErrors } from "#client/ui/field.tsx";
import { MomentField } from "#client/ui/moment-field.tsx";
import { Note } from "#client/ui/note.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { useErrorFocus } from "#client/ui/use-error-focus.ts";
import type { BlueprintView } from "#src/show/blueprints/schemas.ts";
import { SESSION_NAME_LENGTH_MAX } from "#src/show/sessions/contract.ts";
import type { ActRefused } from "./act-on-blueprint.ts";

type GenerateFormProps = { blueprint: BlueprintView; refused: ActRefused | undefined };

/** Generates a session: a copy of the plan with a name and optionally a start. */
export function GenerateForm({ blueprint, refused }: GenerateFormProps) {
  const zone = useTimeZone();
  const ownRefusal = refused?.intent === "generate" ? refused : undefined;
  const form = useErrorFocus<HTMLFormElement>(ownRefusal);
  const errors: FieldErrors = ownRefusal?.errors ?? {};
  const empty = blueprint.blueprintEvents.length === 0;
  return (
    <Form method="post" className="panel pad stack" id="generate" ref={form}>
      <h2 className="panel-title">{texts.generateSession}</h2>
      {ownRefusal === undefined ? null : <Note tone="bad">{ownRefusal.refusal}</Note>}
      <CsrfField />
      <input type="hidden" name="time_zone" value={zone} />
      <Field
        label={texts.name}
        id="session-name"
        name="name"
        value={ownRefusal?.name ?? blueprint.name}
        maxLength={SESSION_NAME_LENGTH_MAX}
        errors={errors["name"]}
      />
      <MomentField
        label={texts.startsAt}
        name="starts_at"
        zone={zone}
        optional
        value={ownRefusal?.startsAt ?? ""}
        hint={texts.startsAtHint(zone)}
        errors={errors["startsAt"]}
      />
      <div className="row">
        <Submit intent="generate" disabledReason={empty ? texts.noActionsReason : null}>
          {texts.generateSession}
        </Submit>
      </div>
    </Form>
  );
}
