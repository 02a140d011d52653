import { Link, useActionData, useLoaderData, useLocation } from "react-router";
import { formatMoney } from "#client/base/format/money.ts";
import { formatDate } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import { useViewer } from "#client/base/page/context.ts";
import { Avatar } from "#client/ui/avatar.tsx";
import { Fact } from "#client/ui/fact.tsx";
import { KeyValue } from "#client/ui/key-value.tsx";
import { Note } from "#client/ui/note.tsx";
import { PageLayout, Panel } from "#client/ui/page-layout.tsx";
import { WhenLoaded } from "#client/ui/when-loaded.tsx";
import { TransactionTable } from "#client/wallet/transaction-table.tsx";
import type { ProfileView } from "#src/profiles/schemas.ts";
import { accountStatusOf } from "./account-status.ts";
import type { UserRefusal } from "./act-on-user.ts";
import { AdjustWallet } from "./adjust-wallet.tsx";
import { EditDetails } from "./edit-details.tsx";
import { PART_OF_ACCOUNT, type UserData } from "./load-user.ts";
import { ManageAccount } from "./manage-account.tsx";
import { PaymentsPanel } from "./payments-panel.tsx";
import { UserCalls } from "./user-calls.tsx";
import * as texts from "./users-texts.ts";

/** The forms that show their own refusal; the account panel shows all others. */
const formsElsewhere = ["details", "adjust", "refund", "destroy_call"];

/** For admins: one user, with their wallet, calls, payments and account. */
export function UserScreen() {
  const { user, transactions, payments, formKey } = useLoaderData<UserData>();
  const viewer = useViewer();
  const refusal = useActionData<UserRefusal>();
  const { search } = useLocation();
  const refusalOf = (intent: string) => (refusal?.intent === intent ? refusal : undefined);
  return (
    <PageLayout
      title={user.username}
      actions={
        <Link className="btn" to="/users">
          {texts.backToUsers}
        </Link>
      }
    >
      {search === PART_OF_ACCOUNT ? <Note tone="ok">{texts.mergedGuest}</Note> : null}
      <div className="split">
        <div className="stack wide">
          <UserDetails user={user} />
          <Panel title={texts.wallet}>
            <Holdings user={user} />
          </Panel>
          <WhenLoaded data={transactions}>
            {(newest) => (
              <Panel title={texts.transactions}>
                <TransactionTable transactions={newest} />
              </Panel>
            )}
          </WhenLoaded>
          <UserCalls calls={user.calls} mine={viewer?.id === user.id} refusal={refusalOf("destroy_call")} />
          <WhenLoaded data={payments}>
            {(newest) => <PaymentsPanel payments={newest} formKey={formKey} refusal={refusalOf("refund")} />}
          </WhenLoaded>
        </div>
        <div className="stack">
          <EditDetails
            // After a change by anybody the form starts with the saved details.
            key={`details-${user.version}`}
            user={user}
            refusal={refusalOf("details")}
          />
          <AdjustWallet
            // A new key means that the last adjustment was made: the form is emptied.
            key={formKey}
            formKey={formKey}
            mine={viewer?.id === user.id}
            refusal={refusalOf("adjust")}
          />
          <ManageAccount
            user={user}
            refusal={formsElsewhere.includes(refusal?.intent ?? "") ? undefined : refusal}
          />
        </div>
      </div>
    </PageLayout>
  );
}

function UserDetails({ user }: { user: ProfileView }) {
  const status = accountStatusOf(user);
  return (
    <section className="panel pad row who-am-i" aria-label={texts.user}>
      <Avatar name={user.username} avatar={user.avatar} size="lg" />
      <dl className="about grow">
        <Fact label={texts.email}>{user.email ?? texts.none}</Fact>
        <Fact label={texts.username}>{user.username}</Fact>
        <Fact label={texts.phone}>{user.phone ?? texts.none}</Fact>
        <Fact label={texts.created}>
          <time dateTime={user.createdAt}>{formatDate(user.createdAt, useTimeZone())}</time>
        </Fact>
        <Fact label={texts.roles}>{user.roles.length === 0 ? texts.player : user.roles.join(", ")}</Fact>
        {status === "" ? null : <Fact label={texts.account}>{status}</Fact>}
      </dl>
    </section>
  );
}

function Holdings({ user: { wallet } }: { user: ProfileView }) {
  return (
    <dl className="row wrap body balance-parts">
      <KeyValue label={texts.balance}>{formatMoney(wallet.balanceCents)}</KeyValue>
      <KeyValue label={texts.available}>{formatMoney(wallet.availableBalanceCents)}</KeyValue>
      <KeyValue label={texts.heldInCalls}>{formatMoney(wallet.heldCents)}</KeyValue>
      <KeyValue label={texts.owed}>{formatMoney(wallet.owedCents)}</KeyValue>
    </dl>
  );
}
