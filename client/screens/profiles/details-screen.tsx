import {
  type ActionFunctionArgs,
  Form,
  redirectDocument,
  useActionData,
  useLoaderData,
  useNavigation,
  useSearchParams,
} from "react-router";
import { apiContext, pageContext } from "#client/base/page/context.ts";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { Field } from "#client/ui/field.tsx";
import { SEE_OTHER } from "#client/ui/forms/answer-form.ts";
import { inUser, readForm } from "#client/ui/forms/read-form.ts";
import { refuseForm } from "#client/ui/forms/refused-in-form.ts";
import type { Refused } from "#client/ui/forms/refused.ts";
import { Note } from "#client/ui/note.tsx";
import { PageLayout, Panel } from "#client/ui/page-layout.tsx";
import { USERNAME_LENGTH_MAX } from "#src/people/users/contract.ts";
import type { ProfileAnswer } from "#src/profiles/schemas.ts";
import * as texts from "./profile-texts.ts";

/** The form of the viewer's username and phone number. */
export function DetailsScreen() {
  const { user } = useLoaderData<ProfileAnswer>();
  const refused = useActionData<DetailsRefusal>();
  const busy = useNavigation().state !== "idle";
  const [search] = useSearchParams();
  return (
    <PageLayout title={texts.details}>
      <Panel title={texts.aboutYou}>
        <Form className="body stack narrow" method="post" action="/profile/details">
          <CsrfField />
          {search.has("saved") && refused === undefined ? <Note tone="ok">{texts.saved}</Note> : null}
          {refused === undefined || Object.keys(refused.errors).length > 0 ? null : (
            <Note tone="bad">{refused.refusal}</Note>
          )}
          <Field
            label={texts.username}
            name="user[username]"
            autoComplete="nickname"
            maxLength={USERNAME_LENGTH_MAX}
            value={refused?.username ?? user.username}
            hint={texts.usernameHint}
            errors={refused?.errors["username"]}
          />
          <Field
            label={texts.phone}
            name="user[phone]"
            type="tel"
            autoComplete="tel"
            optional
            value={refused?.phone ?? user.phone ?? ""}
            hint={texts.phoneHint}
            errors={refused?.errors["phone"]}
          />
          <button className="btn primary" type="submit" aria-disabled={busy}>
            {texts.saveDetails}
          </button>
        </Form>
      </Panel>
    </PageLayout>
  );
}

/** The refusal, and the typed values. */
type DetailsRefusal = Refused & { username: string; phone: string };

/** Saves the username and the phone number. A refusal is shown in the form. */
export async function sendDetails({ context, request }: ActionFunctionArgs) {
  const { viewer } = context.get(pageContext);
  const user = readForm(await request.formData(), { username: "text", phone: "text" }, inUser);
  try {
    await context.get(apiContext).patch(`/api/v1/users/${viewer?.id}`, { user });
  } catch (error) {
    return refuseForm<DetailsRefusal>(error, user);
  }
  // A new document: the frame shows the name too.
  return redirectDocument("/profile/details?saved", SEE_OTHER);
}
