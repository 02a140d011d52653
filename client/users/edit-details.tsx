import { Form } from "react-router";
import type { ProfileView } from "#src/profiles/schemas.ts";
import { VERSION_FIELD } from "../base-version.ts";
import { CsrfField } from "../frame/csrf-field.tsx";
import { Field } from "../ui/field.tsx";
import { Note } from "../ui/note.tsx";
import { Panel } from "../ui/page-layout.tsx";
import { Submit } from "../ui/submit.tsx";
import type { UserRefusal } from "./act-on-user.ts";

/** For admins: the form of a user's name and phone number. */
export function EditDetails({ user, refusal }: { user: ProfileView; refusal: UserRefusal | undefined }) {
  return (
    <Panel title="Details">
      <Form className="stack body" method="post">
        <CsrfField />
        <input type="hidden" name={VERSION_FIELD} value={user.version} />
        {refusal === undefined || Object.keys(refusal.errors).length > 0 ? null : (
          <Note tone="bad">{refusal.refusal}</Note>
        )}
        <Field
          label="Username"
          name="username"
          maxLength={20}
          value={refusal?.username ?? user.username}
          hint="3 to 20 letters, digits and underscores. Everybody sees it."
          errors={refusal?.errors["username"]}
        />
        <Field
          label="Phone"
          name="phone"
          type="tel"
          optional
          value={refusal?.phone ?? user.phone ?? ""}
          hint="With the country in front: +1 415 555 0100. Other players do not see it."
          errors={refusal?.errors["phone"]}
        />
        <Submit className="btn" intent="details">
          Save details
        </Submit>
      </Form>
    </Panel>
  );
}
