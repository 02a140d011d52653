import { data, redirectDocument, useActionData, useLoaderData } from "react-router";
import { randomId } from "#client/base/browser/random-id.ts";
import { formatMoney } from "#client/base/format/money.ts";
import { pageContext, useViewer } from "#client/base/page/context.ts";
import type { LoaderArgs } from "#client/base/page/handle.ts";
import { BreakChoice, periodIn } from "#client/spending/break-choice.tsx";
import { SPENDING_PATH } from "#client/spending/break-row.tsx";
import { fetchSpending, OnBreak, RoomList } from "#client/spending/spending-summary.tsx";
import { Confirm } from "#client/ui/confirm.tsx";
import { DoneNote } from "#client/ui/done-note.tsx";
import { Field } from "#client/ui/field.tsx";
import { fill } from "#client/ui/fill.tsx";
import { SEE_OTHER } from "#client/ui/forms/answer-form.ts";
import { boundTo } from "#client/ui/forms/bind.ts";
import { formAction, type RefusedForm } from "#client/ui/forms/form-action.ts";
import { Named, PostButton, PostForm, Refusal } from "#client/ui/forms/post-form.tsx";
import { typedDollars } from "#client/ui/money/typed-dollars.ts";
import { typedMoney } from "#client/ui/money/typed-money.ts";
import { Note } from "#client/ui/note.tsx";
import { PageLayout, Panel, ButtonLink } from "#client/ui/page-layout.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { Moment } from "#client/ui/time.tsx";
import { DEPOSIT_LIMIT_MAX_CENTS, limitDays } from "#db/lists/spending.ts";
import { daysLabel } from "#src/money/spending/contract.ts";
import type { SpendingView } from "#src/money/spending/schemas.ts";

const done = {
  limit: "Your limit is set.",
  asked: "You have asked for a higher limit. Come back in 24 hours and say yes again.",
  break: "Your break has begun.",
  return: "It is on its way to you.",
} as const;

/** The viewer's limits and breaks, and what goes back. */
export function SpendingScreen() {
  const { spending, formKey } = useLoaderData<SpendingData>();
  const refusal = useActionData<SpendingRefusal>();
  const viewer = useViewer();
  const isGuest = viewer?.guest === true;
  const back = (
    <ButtonLink to={isGuest ? "/guest" : "/profile/wallet"}>
      {isGuest ? "Back" : "Back to the wallet"}
    </ButtonLink>
  );
  if (spending === null)
    return (
      <PageLayout title="Your break" actions={back}>
        <OnBreak until={viewer?.breakUntil ?? ""} />
      </PageLayout>
    );
  return (
    <PageLayout title="Limits and breaks" actions={back}>
      {refusal === undefined ? <DoneNote texts={done} /> : <Refusal refused={refusal} unless={["amount"]} />}
      <div className="split">
        <div className="stack wide">{isGuest ? null : <Limits spending={spending} refusal={refusal} />}</div>
        <div className="stack">
          <Break going={spending.break} />
          {spending.unused.length === 0 ? null : <Unused unused={spending.unused} formKey={formKey} />}
          <Help links={spending.helpLinks} />
        </div>
      </div>
    </PageLayout>
  );
}

type LimitsProps = { spending: SpendingView; refusal: SpendingRefusal | undefined };

function Limits({ spending: { room, limits }, refusal }: LimitsProps) {
  return (
    <Panel title="Your limits for deposits">
      <div className="body stack">
        <p className="small ink2">
          Open checkouts count, and what was refunded does not. A first or lower limit holds at once. A higher
          one, or none, takes 24 hours and a second yes.
        </p>
        <RoomList room={room} />
      </div>
      <ul className="list">
        {limitDays.map((days) => {
          const limit = limits.find((each) => each.days === days) ?? NO_LIMIT;
          const refused = refusal?.days === String(days) ? refusal : undefined;
          return (
            <li key={`${days} ${limit.amountCents} ${limit.nextAt}`}>
              <Limit days={days} limit={limit} refused={refused} />
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}

type OwnLimit = Omit<SpendingView["limits"][number], "days">;
const NO_LIMIT: OwnLimit = { amountCents: null, nextCents: null, nextAt: null };

type LimitProps = { days: number; limit: OwnLimit; refused: SpendingRefusal | undefined };

function Limit({ days, limit, refused }: LimitProps) {
  const { amountCents, nextCents, nextAt } = limit;
  const within = `within ${daysLabel(days)}`;
  const bind = boundTo(refused, { amount: typedLimit(amountCents) });
  return (
    <div className="grow stack">
      {nextAt === null ? null : <Raise days={days} nextAt={nextAt} nextCents={nextCents} />}
      <PostForm className="stack" fields={{ days }} refused={refused}>
        <Field
          label={`In dollars, ${within}`}
          id={`amount-${days}`}
          inputMode="decimal"
          hint={
            amountCents === null
              ? "You have no limit here."
              : `Your limit is ${formatMoney(amountCents)}. Empty is no limit.`
          }
          {...(amountCents === null ? {} : { optional: true })}
          {...bind("amount")}
        />
        <Submit className="btn" intent="limit">
          <Named label="Set the limit" name={within} />
        </Submit>
      </PostForm>
    </div>
  );
}

/** What is typed for a limit: nothing for none. */
const typedLimit = (cents: number | null) => (cents === null ? "" : typedMoney(cents));

/** The higher limit that was asked for: when it may be confirmed, and the second yes. The server decides whether it is time. */
function Raise({ days, nextAt, nextCents }: { days: number; nextAt: string; nextCents: number | null }) {
  const wanted = nextCents === null ? "no limit" : `a limit of ${formatMoney(nextCents)}`;
  return (
    <>
      <Note>
        {fill(`You have asked for ${wanted}. From {at} on you can say yes.`, { at: <Moment at={nextAt} /> })}
      </Note>
      <PostButton intent="limit" fields={{ days, amount: typedLimit(nextCents) }} className="btn sm primary">
        {`Yes, ${wanted}`}
      </PostButton>
    </>
  );
}

function Break({ going }: { going: SpendingView["break"] }) {
  return (
    <Panel title={going === null ? "Take a break" : "Your break"} body="stack">
      {going === null ? null : <OnBreak until={going.endsAt} />}
      <p className="small ink2">
        On a break you make no calls and no deposits, and get no invitations and no reminders. You can still
        sign in, read everything and download your data. Nobody can end it early: not you, and not the people
        who run this site.
      </p>
      <Confirm
        label={going === null ? "Take a break" : "Make it longer"}
        title={going === null ? "Begin a break now?" : "Make the break longer?"}
        act={{ label: "Begin", intent: "break" }}
      >
        <p>It begins now, and cannot be taken back. Open calls stay, and are paid.</p>
        <BreakChoice value={going?.period} />
      </Confirm>
    </Panel>
  );
}

function Unused({ unused, formKey }: { unused: SpendingView["unused"]; formKey: string }) {
  return (
    <Panel title="Not used">
      <p className="body small ink2">
        What you paid in and did not use goes back within 14 days, to where it came from. Calls use first what
        was in your wallet before.
      </p>
      <ul className="list">
        {unused.map(({ reference, amountCents, until }) => (
          <li key={reference}>
            <div className="grow">
              <p className="small">
                {fill("{amount}, until {at}", {
                  amount: <b className="num">{formatMoney(amountCents)}</b>,
                  at: <Moment at={until} />,
                })}
              </p>
            </div>
            <PostButton intent="return" fields={{ reference, key: `${formKey}-${reference}` }}>
              <Named label="Send back" name={formatMoney(amountCents)} />
            </PostButton>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** They lead to other sites. */
function Help({ links }: { links: SpendingView["helpLinks"] }) {
  if (links.length === 0) return null;
  return (
    <Panel title="Help">
      <ul className="body stack">
        {links.map(({ name, url }) => (
          <li key={url}>
            <a href={url} rel="noreferrer">
              {name}
            </a>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** `spending`: null where payments are off. A break that has begun before goes on there. */
type SpendingData = { spending: SpendingView | null; formKey: string };

/** The viewer's spending. Not found where payments are off, unless a break goes on. */
export async function loadSpending({ api, context }: LoaderArgs): Promise<SpendingData> {
  const spending = await fetchSpending(api);
  const isOnBreak = (context.get(pageContext).viewer?.breakUntil ?? null) !== null;
  if (spending === null && !isOnBreak) throw data(null, { status: 404 });
  return { spending, formKey: randomId() };
}

const text = "text" as const;
const fields = { intent: text, days: text, amount: text, period: text, reference: text, key: text };
const dollars = { min: 1, max: DEPOSIT_LIMIT_MAX_CENTS / 100 };

type SpendingRefusal = RefusedForm<typeof fields>;

/** Sets a limit, begins a break, or sends back what was not used. */
export const actOnSpending = formAction(fields, async (sent, { api }) => {
  const { intent, days, amount } = sent;
  const done = (what: string) => `${SPENDING_PATH}?done=${what}`;
  if (intent === "break") {
    await api.put("/api/v1/spending/break", { break: { period: periodIn(sent.period) } });
    // A new document: the page's viewer is on a break now.
    return redirectDocument(done("break"), SEE_OTHER);
  } else if (intent === "return") {
    const path = `/api/v1/payments/${encodeURIComponent(sent.reference)}/return` as const;
    await api.post(path, undefined, { headers: { "idempotency-key": sent.key } });
  } else if (intent === "limit") {
    const limit = { amount: amount.trim() === "" ? null : typedDollars(amount, dollars) };
    const { spending } = await api.put(`/api/v1/spending/limits/${Number(days)}`, { limit });
    const isAsked = spending.limits.some((each) => String(each.days) === days && each.nextAt !== null);
    return done(isAsked ? "asked" : "limit");
  } else throw data(null, { status: 400 });
  return done(intent);
});
