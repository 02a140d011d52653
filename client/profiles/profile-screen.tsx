import { Form, Link, useLoaderData } from "react-router";
import type { ProfileAnswer } from "#src/profiles/schemas.ts";
import { CsrfField } from "../frame/csrf-field.tsx";
import { sharesTexts } from "../share/share-texts.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Fact } from "../ui/fact.tsx";
import { formatMoney } from "../ui/money.ts";
import { PageLayout, Panel } from "../ui/page-layout.tsx";
import { formatDate } from "../ui/time-format.ts";
import { useTimeZone } from "../ui/time-zone.ts";
import { useViewerAvatar } from "../users/viewer-avatar.ts";
import { KeyValue } from "../wallet/key-value.tsx";
import * as texts from "./profile-texts.ts";

/** The viewer's profile, with links to change it. */
export function ProfileScreen() {
  const { user } = useLoaderData<ProfileAnswer>();
  return (
    <PageLayout title={texts.profile} actions={<Logout />}>
      <div className="split">
        <section className="panel pad row wrap who-am-i" aria-label={texts.you}>
          <Avatar name={user.username} avatar={useViewerAvatar()} size="xl" />
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
    </PageLayout>
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
