import { Form } from "react-router";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { Field } from "#client/ui/field.tsx";
import { VERSION_FIELD } from "#client/ui/forms/base-version.ts";
import { Note } from "#client/ui/note.tsx";
import { Panel } from "#client/ui/page-layout.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { USERNAME_LENGTH_MAX } from "#src/people/users/contract.ts";
import type { ProfileView } from "#src/profiles/schemas.ts";
import type { UserRefusal } from "./act-on-user.ts";
import * as texts from "./users-texts.ts";

/** For admins: the form of a user's name and phone number. */
export function EditDetails({ user, refusal }: { user: ProfileView; refusal: UserRefusal | undefined }) {
  return (
    <Panel title={texts.details}>
      <Form className="stack body" method="post">
        <CsrfField />
        <input type="hidden" name={VERSION_FIELD} value={user.version} />
        {refusal === undefined || Object.keys(refusal.errors).length > 0 ? null : (
          <Note tone="bad">{refusal.refusal}</Note>
        )}
        <Field
          label={texts.username}
          name="username"
          maxLength={USERNAME_LENGTH_MAX}
          value={refusal?.username ?? user.username}
          hint={texts.usernameHint}
          errors={refusal?.errors["username"]}
        />
        <Field
          label={texts.phone}
          name="phone"
          type="tel"
          optional
          value={refusal?.phone ?? user.phone ?? ""}
          hint={texts.phoneHint}
          errors={refusal?.errors["phone"]}
        />
        <Submit className="btn" intent="details">
          {texts.saveDetails}
        </Submit>
      </Form>
    </Panel>
  );
}
