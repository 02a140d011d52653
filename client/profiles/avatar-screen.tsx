import { useEffect, useState } from "react";
import { Form, useActionData, useLoaderData, useRevalidator } from "react-router";
import type { ProfileAnswer, ProfileView } from "#src/profiles/schemas.ts";
import { CsrfField } from "../frame/csrf-field.tsx";
import type { Refused } from "../refused.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Note } from "../ui/note.tsx";
import { PageLayout, Panel } from "../ui/page-layout.tsx";
import { useOwnAvatar } from "../users/own-avatar.ts";
import { AvatarForm } from "./avatar-form.tsx";

/** The picture that stands for the viewer: choose, crop, send, remove. */
export function AvatarScreen() {
  const { user } = useLoaderData<ProfileAnswer>();
  const refused = useActionData<Refused>();
  useFreshAvatar();
  return (
    <PageLayout title="Picture">
      <div className="split">
        <Panel title="New picture">
          <AvatarForm key={useChangesTaken(user)} refused={refused} />
        </Panel>
        <Current user={user} />
      </div>
    </PageLayout>
  );
}

function Current({ user }: { user: ProfileView }) {
  return (
    <Panel title="Your picture">
      <div className="body stack">
        <Avatar name={user.username} avatar={user.avatar} size="xl" />
        {user.avatarPending ? (
          <Note>Your new picture is being made. It appears here in a moment.</Note>
        ) : null}
        {user.avatar.default === null && !user.avatarPending ? (
          <p className="small ink2">You have none yet: the first letters of your name stand for you.</p>
        ) : (
          <Form method="post">
            <CsrfField />
            <button className="btn" type="submit" name="intent" value="remove">
              Remove picture
            </button>
          </Form>
        )}
      </div>
    </Panel>
  );
}

/**
 * Counts the changes that were taken: each starts the form anew. That a picture is made is none, for the next one may be
 * chosen already.
 */
function useChangesTaken(user: ProfileView): number {
  const [seen, setSeen] = useState(user);
  const [count, setCount] = useState(0);
  if (seen.updatedAt !== user.updatedAt) {
    setSeen(user);
    if (!seen.avatarPending || user.avatarPending) setCount(count + 1);
  }
  return count;
}

/** When the cable tells of other pictures, what was loaded is loaded again. */
function useFreshAvatar(): void {
  const { revalidate } = useRevalidator();
  const newest = useOwnAvatar()?.default;
  const { user } = useLoaderData<ProfileAnswer>();
  const stale = newest !== undefined && newest !== user.avatar.default;
  useEffect(() => {
    if (stale) void revalidate();
  }, [stale, newest, revalidate]);
}
