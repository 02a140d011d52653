import { Link, redirect, useActionData, useLoaderData, useLocation } from "react-router";
import { randomId } from "#client/base/browser/random-id.ts";
import { defer } from "#client/base/deferred/defer.ts";
import type { Deferred } from "#client/base/deferred/deferred.ts";
import { formatMoney } from "#client/base/format/money.ts";
import { formatDate } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import * as words from "#client/base/format/words.ts";
import { useViewer } from "#client/base/page/context.ts";
import type { LoaderArgs } from "#client/base/page/handle.ts";
import { rowIdIn } from "#client/base/page/row-id.ts";
import { CallState } from "#client/calls/call-pill.tsx";
import { RefundCause } from "#client/calls/refund-cause.tsx";
import { PaymentList } from "#client/payments/payment-list.tsx";
import { RefundForm } from "#client/payments/refund-form.tsx";
import { Avatar } from "#client/ui/avatar.tsx";
import { Confirm } from "#client/ui/confirm.tsx";
import { Fact } from "#client/ui/fact.tsx";
import { Field } from "#client/ui/field.tsx";
import { VERSION_FIELD } from "#client/ui/forms/base-version.ts";
import { boundTo } from "#client/ui/forms/bind.ts";
import { PostForm, Refusal } from "#client/ui/forms/post-form.tsx";
import { SideShape } from "#client/ui/icon.tsx";
import { KeyValue } from "#client/ui/key-value.tsx";
import { Note } from "#client/ui/note.tsx";
import { PageLayout, Panel, ButtonLink } from "#client/ui/page-layout.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { Moment } from "#client/ui/time.tsx";
import { WhenLoaded } from "#client/ui/when-loaded.tsx";
import { TransactionTable } from "#client/wallet/transaction-table.tsx";
import { REASON_LENGTH_MAX } from "#src/http/contract.ts";
import type { PaymentView } from "#src/money/payments/schemas.ts";
import type { TransactionView } from "#src/money/wallet/schemas.ts";
import { USERNAME_LENGTH_MAX } from "#src/people/users/contract.ts";
import type { CallView } from "#src/play/calls/schemas.ts";
import type { ProfileView } from "#src/profiles/schemas.ts";
import { ManageAccount, accountStatusOf, type UserRefusal } from "./manage-account.tsx";

const CALLS_SHOWN = 10;

/** The forms that show their own refusal; the account panel shows all others. */
const formsElsewhere = ["details", "adjust", "refund", "destroy_call"];

const TRANSACTIONS_SHOWN = 10;
const PAYMENTS_SHOWN = 20;

/** The query after an address of a guest has led to the account that the guest is a part of. */
const PART_OF_ACCOUNT = "?guest=merged";

/** For admins: one user, with their wallet, calls, payments and account. */
export function UserScreen() {
  const { user, transactions, payments, formKey } = useLoaderData<UserData>();
  const viewer = useViewer();
  const refusal = useActionData<UserRefusal>();
  const { search } = useLocation();
  const refusalOf = (intent: string) => (refusal?.intent === intent ? refusal : undefined);
  return (
    <PageLayout title={user.username} actions={<ButtonLink to="/users">Back to Users</ButtonLink>}>
      {search === PART_OF_ACCOUNT ? (
        <Note tone="ok">The guest is a part of this account, which has the calls and the money.</Note>
      ) : null}
      <div className="split">
        <div className="stack wide">
          <UserDetails user={user} />
          <Panel title={words.wallet}>
            <Holdings user={user} />
          </Panel>
          <WhenLoaded data={transactions}>
            {(newest) => (
              <Panel title="Transactions">
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
    <section className="panel pad row who-am-i" aria-label="User">
      <Avatar name={user.username} avatar={user.avatar} size="lg" />
      <dl className="about grow">
        <Fact label={words.email}>{user.email ?? words.none}</Fact>
        <Fact label={words.username}>{user.username}</Fact>
        <Fact label={words.phone}>{user.phone ?? words.none}</Fact>
        <Fact label="Created">
          <time dateTime={user.createdAt}>{formatDate(user.createdAt, useTimeZone())}</time>
        </Fact>
        <Fact label={words.roles}>{user.roles.length === 0 ? words.player : user.roles.join(", ")}</Fact>
        {status === "" ? null : <Fact label={words.account}>{status}</Fact>}
      </dl>
    </section>
  );
}

function Holdings({ user: { wallet } }: { user: ProfileView }) {
  return (
    <dl className="row wrap body balance-parts">
      <KeyValue label={words.balance}>{formatMoney(wallet.balanceCents)}</KeyValue>
      <KeyValue label="Available">{formatMoney(wallet.availableBalanceCents)}</KeyValue>
      <KeyValue label="Held in calls">{formatMoney(wallet.heldCents)}</KeyValue>
      <KeyValue label="Owed">{formatMoney(wallet.owedCents)}</KeyValue>
    </dl>
  );
}

type PaymentsPanelProps = {
  payments: readonly PaymentView[];
  formKey: string;
  refusal: UserRefusal | undefined;
};

/** For admins: a user's payments, with a refund form each. */
function PaymentsPanel({ payments, formKey, refusal }: PaymentsPanelProps) {
  return (
    <Panel title={words.payments}>
      <Refusal refused={refusal} inBody />
      {payments.length === 0 ? (
        <p className="body ink2 small">Nothing was paid in yet.</p>
      ) : (
        <PaymentList
          payments={payments}
          actions={(payment) => (
            <RefundForm
              payment={payment}
              formKey={formKey}
              refusal={refusal?.reference === payment.reference ? refusal : undefined}
            />
          )}
        />
      )}
    </Panel>
  );
}

/** For admins: the form of a user's name and phone number. */
function EditDetails({ user, refusal }: { user: ProfileView; refusal: UserRefusal | undefined }) {
  const bind = boundTo(refusal, user);
  return (
    <Panel title={words.details}>
      <PostForm className="stack body">
        <input type="hidden" name={VERSION_FIELD} value={user.version} />
        <Refusal refused={refusal} unless={Object.keys(refusal?.errors ?? {})} />
        <Field
          label={words.username}
          maxLength={USERNAME_LENGTH_MAX}
          hint={words.usernameHint}
          {...bind("username")}
        />
        <Field label={words.phone} type="tel" optional hint={words.phoneHint} {...bind("phone")} />
        <Submit className="btn" intent="details">
          Save details
        </Submit>
      </PostForm>
    </Panel>
  );
}

type AdjustWalletProps = {
  formKey: string;
  mine: boolean;
  refusal: UserRefusal | undefined;
};

function AdjustWallet({ formKey, mine, refusal }: AdjustWalletProps) {
  const bind = boundTo(refusal);
  return (
    <Panel title="Adjust the wallet">
      <PostForm className="stack body" fields={{ key: formKey }} refused={refusal}>
        <Refusal refused={refusal} />
        <Field
          label={words.amountInDollars}
          hint="Below 0 takes money away. What the wallet cannot cover is owed."
          {...bind("amount")}
        />
        <Field
          label={words.reason}
          maxLength={REASON_LENGTH_MAX}
          hint="The player reads it in the wallet's history."
          {...bind("reason")}
        />
        <Submit
          intent="adjust"
          disabledReason={mine ? "This wallet is yours. Another admin must adjust it." : null}
        >
          Adjust
        </Submit>
      </PostForm>
    </Panel>
  );
}

type UserCallsProps = { calls: readonly CallView[]; mine: boolean; refusal: UserRefusal | undefined };

/**
 * For admins: a user's newest calls. Those that are not resolved can be taken back.
 * @param mine the admin's own calls, which follow the rules for players and are taken back on the Action screen.
 */
function UserCalls({ calls, mine, refusal }: UserCallsProps) {
  return (
    <Panel title={words.calls}>
      <Refusal refused={refusal} inBody />
      {calls.length === 0 ? (
        <p className="body ink2 small">No calls yet.</p>
      ) : (
        <ul className="list">
          {calls.slice(0, CALLS_SHOWN).map((call) => (
            <UserCall key={call.id} call={call} mine={mine} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function UserCall({ call, mine }: { call: CallView; mine: boolean }) {
  return (
    <li>
      <SideShape side={call.side} />
      <span className="grow">
        <CallTitle call={call} />
        <span className="tiny muted clip">
          {call.label} {formatMoney(call.wagerCents)}, <Moment at={call.placedAt} />
        </span>
        <RefundCause call={call} />
      </span>
      <span className="call-end">
        <CallState call={call} />
        {call.active && !mine ? <TakeBack call={call} /> : null}
      </span>
    </li>
  );
}

/** The receipt is a page of the session. */
function CallTitle({ call: { id, sessionSlug, eventTitle } }: { call: CallView }) {
  if (sessionSlug === null) return <span className="call-title">{eventTitle}</span>;
  return <Link to={`/sessions/${sessionSlug}/history/${id}`}>{eventTitle}</Link>;
}

function TakeBack({ call }: { call: CallView }) {
  return (
    <Confirm
      label={
        <>
          Take back
          <span className="vh"> {`the call on ${call.eventTitle}`}</span>
        </>
      }
      className="btn sm"
      title={`Take back this call of ${formatMoney(call.wagerCents)}?`}
      act={{ label: words.takeItBack, intent: "destroy_call", className: "btn bad" }}
      cancelLabel={words.keepIt}
    >
      <p className="strong">
        {call.eventTitle} {call.label}
      </p>
      <p>The wager is refunded, the call leaves the pool, and the player is notified. It cannot be undone.</p>
      <input type="hidden" name="call_id" value={call.id} />
      <Field
        label={words.reason}
        name="reason"
        id={`reason-${call.id}`}
        optional
        maxLength={REASON_LENGTH_MAX}
        hint={words.thePlayerReadsIt}
      />
    </Confirm>
  );
}

type UserData = {
  user: ProfileView;
  /** Newest first. */
  transactions: Deferred<TransactionView[]>;
  /** Newest first. */
  payments: Deferred<PaymentView[]>;
  /** Idempotency-Key of the next adjustment: a form sent twice moves the money once. */
  formKey: string;
};

/**
 * For admins: one user, with the wallet's last transactions and payments. An unknown user is 404; a guest who is a part of an account
 * leads to the account, which has the guest's calls and money.
 */
export async function loadUser(args: LoaderArgs): Promise<UserData> {
  const { api, params } = args;
  const id = rowIdIn(params["id"]);
  const [{ user }, transactions, payments] = await Promise.all([
    api.get(`/api/v1/users/${encodeURIComponent(id)}`),
    defer(args, async () => {
      const query = { userId: id, perPage: TRANSACTIONS_SHOWN };
      return (await api.get("/api/v1/transactions", { query })).transactions;
    }),
    defer(args, async () => {
      const query = { userId: id, perPage: PAYMENTS_SHOWN };
      return (await api.get("/api/v1/payments", { query })).payments;
    }),
  ]);
  if (user.mergedInto !== null) throw redirect(`/users/${user.mergedInto}${PART_OF_ACCOUNT}`);
  return { user, transactions, payments, formKey: randomId() };
}
