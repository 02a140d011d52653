import { Form, Link, useLoaderData } from "react-router";
import { formatMoney } from "#client/base/format/money.ts";
import { formatDate } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import { useNewestViewer } from "#client/notifications/newest-viewer.ts";
import { SessionRow } from "#client/sessions/session-row.tsx";
import { sharesTexts } from "#client/share/share-texts.ts";
import { Avatar } from "#client/ui/avatar.tsx";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { Fact } from "#client/ui/fact.tsx";
import * as frame from "#client/ui/frame-texts.ts";
import { KeyValue } from "#client/ui/key-value.tsx";
import { HOSTED_ANCHOR } from "#client/ui/navigation.ts";
import { PageLayout, Panel } from "#client/ui/page-layout.tsx";
import { WhenLoaded } from "#client/ui/when-loaded.tsx";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import type { OwnProfileData } from "./load-profile.ts";
import * as texts from "./profile-texts.ts";
import { Records } from "./records.tsx";

/** The viewer's profile, with links to change it. */
export function ProfileScreen() {
  const { user, records, hosted } = useLoaderData<OwnProfileData>();
  return (
    <PageLayout title={texts.profile} actions={<Logout />}>
      {hosted === null ? null : (
        <WhenLoaded data={hosted}>{(sessions) => <Hosted sessions={sessions} />}</WhenLoaded>
      )}
      <div className="split">
        <section className="panel pad row wrap who-am-i" aria-label={texts.you}>
          <Avatar name={user.username} avatar={useNewestViewer()?.avatar ?? null} size="xl" />
          <div className="grow stack">
            <dl className="about">
              <Fact label={texts.username}>{user.username}</Fact>
              <Fact label={texts.email}>{user.email ?? texts.none}</Fact>
              <Fact label={texts.phone}>{user.phone ?? texts.none}</Fact>
              <Fact label={texts.hereSince}>
                <time dateTime={user.createdAt}>{formatDate(user.createdAt, useTimeZone())}</time>
              </Fact>
              <Fact label={texts.role}>{user.roles.length === 0 ? texts.player : user.roles.join(", ")}</Fact>
            </dl>
            <div className="row wrap">
              <Link className="btn" to="/profile/details">
                {texts.editDetails}
              </Link>
              <Link className="btn" to="/profile/avatar">
                {texts.changePicture}
              </Link>
            </div>
          </div>
        </section>
        <Panel title={texts.wallet} aside={<Link to="/profile/wallet">{texts.openWallet}</Link>}>
          <dl className="row wrap body balance-parts">
            <KeyValue label={texts.balance}>{formatMoney(user.wallet.balanceCents)}</KeyValue>
            <KeyValue label={texts.callsPlaced}>{user.wallet.metrics.callsPlaced}</KeyValue>
          </dl>
        </Panel>
      </div>
      <p className="row wrap small">
        <Link to="/shares">{sharesTexts.title}</Link>
        <Link to="/terms">{texts.terms}</Link>
      </p>
      <div className="split">
        <WhenLoaded data={records}>{(found) => <Records records={found} userId={user.id} />}</WhenLoaded>
      </div>
    </PageLayout>
  );
}

/** The way to each session that the viewer hosts, the live and the newest first. */
function Hosted({ sessions }: { sessions: readonly SessionView[] }) {
  return (
    <div id={HOSTED_ANCHOR}>
      <Panel title={frame.hosting}>
        <ul className="list">
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} admin={false} />
          ))}
        </ul>
      </Panel>
    </div>
  );
}

function Logout() {
  return (
    <Form method="post" action="/users/sign_out">
      <CsrfField />
      <button className="btn" type="submit">
        {texts.logout}
      </button>
    </Form>
  );
}
