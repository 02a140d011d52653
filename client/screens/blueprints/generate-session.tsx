import type { ReactNode } from "react";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import * as words from "#client/base/format/words.ts";
import { moreTexts } from "#client/blueprints/more-texts.ts";
import { Confirm } from "#client/ui/confirm.tsx";
import { Field } from "#client/ui/field.tsx";
import { PostForm, Refusal } from "#client/ui/forms/post-form.tsx";
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
    <PostForm action={`/blueprints/${blueprint.id}`} id="generate" fields={{ time_zone: zone }}>
      {children}
    </PostForm>
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
      <Refusal refused={own} />
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
