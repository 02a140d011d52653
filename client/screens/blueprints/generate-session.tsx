import type { ReactNode } from "react";
import { Form } from "react-router";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import * as words from "#client/base/format/words.ts";
import { moreTexts } from "#client/blueprints/more-texts.ts";
import { Confirm } from "#client/ui/confirm.tsx";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { Field } from "#client/ui/field.tsx";
import { Note } from "#client/ui/note.tsx";
import type { BlueprintView } from "#src/show/blueprints/schemas.ts";
import { SESSION_NAME_LENGTH_MAX } from "#src/show/sessions/contract.ts";
import type { ActRefused } from "./act-on-blueprint.ts";

type GenerateProps = {
  blueprint: Pick<BlueprintView, "id" | "name" | "blueprintEvents">;
  refused?: ActRefused | undefined;
  className?: string;
};

/** The button that generates a session: a copy of the plan with a name and optionally a start. The same on every page. */
export function GenerateSession({ blueprint, refused, className = "btn primary" }: GenerateProps) {
  const zone = useTimeZone();
  const own = refused?.intent === "generate" ? refused : undefined;
  const Around = ({ children }: { children: ReactNode }) => (
    <Form method="post" action={`/blueprints/${blueprint.id}`} id="generate">
      <CsrfField />
      {children}
    </Form>
  );
  return (
    <Confirm
      label="Generate session"
      className={className}
      title="Generate session"
      disabledReason={blueprint.blueprintEvents.length === 0 ? moreTexts.hasNoActions : null}
      act={{ label: "Generate session", intent: "generate" }}
      form={Around}
      refusal={own}
    >
      {own === undefined ? null : <Note tone="bad">{own.refusal}</Note>}
      <input type="hidden" name="time_zone" value={zone} />
      <Field
        label={words.name}
        id="session-name"
        name="name"
        value={own?.name ?? blueprint.name}
        maxLength={SESSION_NAME_LENGTH_MAX}
        errors={own?.errors["name"]}
      />
      <Field
        label="Starts at"
        name="starts_at"
        type="datetime-local"
        optional
        value={own?.startsAt ?? ""}
        hint={`In ${zone}. For the list only: it starts when you press Start.`}
        errors={own?.errors["startsAt"]}
      />
    </Confirm>
  );
}
