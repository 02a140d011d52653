import type { ReactNode } from "react";
import { Form } from "react-router";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import { type SessionFields, startsAtIn } from "#client/sessions/session-fields.ts";
import * as texts from "#client/sessions/session-form-texts.ts";
import { SettingFields } from "#client/sessions/setting-fields.tsx";
import { TeamNamesField } from "#client/sessions/team-names-field.tsx";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { Field, type FieldErrors } from "#client/ui/field.tsx";
import { MomentField } from "#client/ui/moment-field.tsx";
import { SESSION_SLUG_LENGTH_MAX } from "#db/lists/session-address.ts";
import {
  SESSION_DESCRIPTION_LENGTH_MAX,
  SESSION_NAME_LENGTH_MAX,
  SETTING_SECONDS_MAX,
} from "#src/show/sessions/contract.ts";

type SessionFormProps = {
  fields: SessionFields;
  errors: FieldErrors;
  /** The slug can be set only on creation, because links depend on it. */
  withSlug?: true;
  smallRoomFixed?: string | undefined;
  /** The buttons. */
  children: ReactNode;
};

/** The form of a session. */
export function SessionForm({ fields, errors, withSlug, smallRoomFixed, children }: SessionFormProps) {
  const zone = useTimeZone();
  return (
    <Form method="post" className="panel pad form">
      <CsrfField />
      <input type="hidden" name="time_zone" value={zone} />
      <Field
        label={texts.name}
        name="name"
        value={fields.name}
        maxLength={SESSION_NAME_LENGTH_MAX}
        errors={errors["name"]}
      />
      <Field
        label={texts.description}
        name="description"
        type="textarea"
        rows={3}
        optional
        value={fields.description}
        maxLength={SESSION_DESCRIPTION_LENGTH_MAX}
        errors={errors["description"]}
      />
      <MomentField
        // The browser's time zone may differ from the server's guess; the key then resets the field.
        key={zone}
        label={texts.startsAt}
        name="starts_at"
        zone={zone}
        optional
        value={startsAtIn(fields, zone)}
        hint={texts.startsAtHint(zone)}
        errors={errors["startsAt"]}
      />
      {withSlug === true ? (
        <Field
          label={texts.slug}
          name="slug"
          optional
          value={fields.slug}
          maxLength={SESSION_SLUG_LENGTH_MAX}
          placeholder={texts.exampleSlug}
          hint={texts.slugHint}
          errors={errors["slug"]}
        />
      ) : null}
      <TeamNamesField value={fields.teams} errors={errors} />
      <SettingFields
        fields={fields}
        secondsMax={SETTING_SECONDS_MAX}
        errors={errors}
        smallRoomFixed={smallRoomFixed}
      />
      <div className="row wrap">{children}</div>
    </Form>
  );
}
