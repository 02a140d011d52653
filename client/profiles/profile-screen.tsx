import { Form, Link, useLoaderData } from "react-router";
import type { ProfileAnswer } from "#src/profiles/schemas.ts";
import { CsrfField } from "../frame/csrf-field.tsx";
import { Avatar } from "../ui/avatar.tsx";
import { Fact } from "../ui/fact.tsx";
import { formatMoney } from "../ui/money.ts";
import { PageLayout, Panel } from "../ui/page-layout.tsx";
import { formatDate } from "../ui/time-format.ts";
import { useTimeZone } from "../ui/time-zone.ts";
import { useViewerAvatar } from "../users/viewer-avatar.ts";
import { KeyValue } from "../wallet/key-value.tsx";

/** The viewer's profile, with links to change it. */
export function ProfileScreen() {
  const { user } = useLoaderData<ProfileAnswer>();
  return (
    <PageLayout title="Profile" actions={<Logout />}>
      <div className="split">
        <section className="panel pad row wrap who-am-i" aria-label="You">
          <Avatar name={user.username} avatar={useViewerAvatar()} size="xl" />
          <div className="grow stack">
            <dl className="about">
              <Fact label="Username">{user.username}</Fact>
              <Fact label="Email">{user.email ?? "None"}</Fact>
              <Fact label="Phone">{user.phone ?? "None"}</Fact>
              <Fact label="Here since">
                <time dateTime={user.createdAt}>{formatDate(user.createdAt, useTimeZone())}</time>
              </Fact>
              <Fact label="Role">{user.roles.length === 0 ? "Player" : user.roles.join(", ")}</Fact>
            </dl>
            <div className="row wrap">
              <Link className="btn" to="/profile/details">
                Edit details
              </Link>
              <Link className="btn" to="/profile/avatar">
                Change picture
              </Link>
            </div>
          </div>
        </section>
        <Panel title="Wallet" aside={<Link to="/profile/wallet">Open wallet</Link>}>
          <dl className="row wrap body balance-parts">
            <KeyValue label="Balance">{formatMoney(user.wallet.balanceCents)}</KeyValue>
            <KeyValue label="Calls placed">{user.wallet.metrics.callsPlaced}</KeyValue>
          </dl>
        </Panel>
      </div>
      <p className="small">
        <Link to="/terms">Terms</Link>
      </p>
    </PageLayout>
  );
}

function Logout() {
  return (
    <Form method="post" action="/users/sign_out">
      <CsrfField />
      <button className="btn" type="submit">
        Logout
      </button>
    </Form>
  );
}
