import { Form } from "react-router";
import { useViewer } from "../context.ts";
import { CsrfField } from "../frame/csrf-field.tsx";
import { Avatar } from "../ui/avatar.tsx";
import { PageLayout } from "../ui/page-layout.tsx";

/** Who I am, and the way out. */
export function ProfileScreen() {
  const viewer = useViewer();
  if (viewer === null) return null;
  return (
    <PageLayout title="Profile">
      <section className="panel pad row who-am-i">
        <Avatar name={viewer.username} size="lg" />
        <dl className="grow">
          <dt className="vh">Username</dt>
          <dd className="strong">{viewer.username}</dd>
          <dt className="vh">Email</dt>
          <dd className="small ink2 clip">{viewer.email}</dd>
          <dt className="vh">Roles</dt>
          <dd className="small muted">{viewer.roles.length === 0 ? "Player" : viewer.roles.join(", ")}</dd>
        </dl>
        <Form method="post" action="/users/sign_out">
          <CsrfField />
          <button className="btn" type="submit">
            Logout
          </button>
        </Form>
      </section>
    </PageLayout>
  );
}
