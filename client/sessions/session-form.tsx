import type { ReactNode } from "react";
import { Form } from "react-router";
import {
  SESSION_DESCRIPTION_LENGTH_MAX,
  SESSION_NAME_LENGTH_MAX,
  SESSION_SLUG_LENGTH_MAX,
  SETTING_SECONDS_MAX,
} from "#src/sessions/contract.ts";
import { CsrfField } from "../frame/csrf-field.tsx";
import { Field, type FieldErrors } from "../ui/field.tsx";
import { useTimeZone } from "../ui/time-zone.ts";
import { type SessionFields, startsAtIn } from "./session-fields.ts";
import { SettingFields } from "./setting-fields.tsx";

type SessionFormProps = {
  fields: SessionFields;
  errors: FieldErrors;
  /** The slug can be set only on creation, because links depend on it. */
  withSlug?: true;
  /** The buttons. */
  children: ReactNode;
};

/** The form of a session. */
export function SessionForm({ fields, errors, withSlug, children }: SessionFormProps) {
  const zone = useTimeZone();
  return (
    <Form method="post" className="panel pad form">
      <CsrfField />
      <input type="hidden" name="time_zone" value={zone} />
      <Field
        label="Name"
        name="name"
        value={fields.name}
        maxLength={SESSION_NAME_LENGTH_MAX}
        errors={errors["name"]}
      />
      <Field
        label="Description"
        name="description"
        type="textarea"
        rows={3}
        optional
        value={fields.description}
        maxLength={SESSION_DESCRIPTION_LENGTH_MAX}
        errors={errors["description"]}
      />
      <Field
        // The browser's time zone may differ from the server's guess; the key then resets the field.
        key={zone}
        label="Starts at"
        name="starts_at"
        type="datetime-local"
        optional
        value={startsAtIn(fields, zone)}
        hint={`For the list of sessions, in ${zone}. It starts when you press Start.`}
        errors={errors["startsAt"]}
      />
      {withSlug === true ? (
        <Field
          label="Slug"
          name="slug"
          optional
          value={fields.slug}
          maxLength={SESSION_SLUG_LENGTH_MAX}
          placeholder="friday-derby"
          hint="The end of its address: small letters, digits and dashes. Made from the name where it is empty. It stays."
          errors={errors["slug"]}
        />
      ) : null}
      <SettingFields fields={fields} secondsMax={SETTING_SECONDS_MAX} errors={errors} />
      <div className="row wrap">{children}</div>
    </Form>
  );
}
