import {
  type ActionFunctionArgs,
  data,
  Link,
  type LoaderFunctionArgs,
  useActionData,
  useLoaderData,
} from "react-router";
import { randomId } from "#client/base/browser/random-id.ts";
import { formatMoney } from "#client/base/format/money.ts";
import { apiContext, useViewer } from "#client/base/page/context.ts";
import { OnBreak, RoomList, SPENDING_PATH } from "#client/spending/spending-summary.tsx";
import { Choice } from "#client/ui/choice.tsx";
import { Confirm } from "#client/ui/confirm.tsx";
import { DoneNote } from "#client/ui/done-note.tsx";
import { Field } from "#client/ui/field.tsx";
import { fill } from "#client/ui/fill.tsx";
import { seeOther } from "#client/ui/forms/answer-form.ts";
import { readForm } from "#client/ui/forms/read-form.ts";
import { refuseForm } from "#client/ui/forms/refused-in-form.ts";
import type { Refused } from "#client/ui/forms/refused.ts";
import { typedDollars } from "#client/ui/money/typed-dollars.ts";
import { typedMoney } from "#client/ui/money/typed-money.ts";
import { Note } from "#client/ui/note.tsx";
import { PageLayout, Panel } from "#client/ui/page-layout.tsx";
import { Named, PostButton, PostForm, Refusal } from "#client/ui/post-form.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { Moment } from "#client/ui/time.tsx";
import { breakPeriods, DEPOSIT_LIMIT_MAX_CENTS, type LimitDays, limitDays } from "#db/lists/spending.ts";
import { daysLabel, periodLabel } from "#src/money/spending/contract.ts";
import type { SpendingView } from "#src/money/spending/schemas.ts";

const done = {
  limit: "Your limit is set.",
  asked: "You have asked for a higher limit. Come back in 24 hours and say yes again.",
  break: "Your break has begun.",
  return: "It is on its way to you.",
} as const;

/** The viewer's limits, breaks and sums, and what goes back. */
export function SpendingScreen() {
  const { spending, formKey } = useLoaderData<SpendingData>();
  const refusal = useActionData<SpendingRefusal>();
  const isGuest = useViewer()?.guest === true;
  return (
    <PageLayout
      title="Limits and breaks"
      actions={
        <Link className="btn" to={isGuest ? "/guest" : "/profile/wallet"}>
          {isGuest ? "Back" : "Back to the wallet"}
        </Link>
      }
    >
      {refusal === undefined ? <DoneNote texts={done} /> : null}
      {refusal === undefined || refusal.intent === "limit" ? null : <Note tone="bad">{refusal.refusal}</Note>}
      <div className="split">
        <div className="stack wide">
          {isGuest ? null : (
            <Limits spending={spending} refusal={refusal?.intent === "limit" ? refusal : undefined} />
          )}
          <Break spending={spending} />
        </div>
        <div className="stack">
          <Sums spending={spending} />
          {spending.unused.length === 0 ? null : <Unused unused={spending.unused} formKey={formKey} />}
          <Help links={spending.helpLinks} />
        </div>
      </div>
    </PageLayout>
  );
}

function Limits({ spending, refusal }: { spending: SpendingView; refusal: SpendingRefusal | undefined }) {
  return (
    <Panel title="Your limits for deposits">
      <div className="body stack">
        <p className="small ink2">
          Open checkouts count, and what was refunded does not. A first or lower limit holds at once. A higher
          one takes 24 hours and a second yes.
        </p>
        <RoomList room={spending.room} />
      </div>
      <ul className="list">
        {limitDays.map((days) => (
          <LimitRow
            key={days}
            days={days}
            limit={spending.limits.find((limit) => limit.days === days)}
            refusal={refusal?.days === String(days) ? refusal : undefined}
          />
        ))}
      </ul>
    </Panel>
  );
}

type LimitRowProps = {
  days: LimitDays;
  limit: SpendingView["limits"][number] | undefined;
  refusal: SpendingRefusal | undefined;
};

function LimitRow({ days, limit, refusal }: LimitRowProps) {
  const { amountCents = null, nextAt = null, nextCents = null } = limit ?? {};
  const within = `within ${daysLabel(days)}`;
  return (
    <li>
      <div className="grow stack">
        {nextAt === null ? null : <Raise days={days} nextAt={nextAt} nextCents={nextCents} />}
        <PostForm className="stack" fields={{ days }} refused={refusal}>
          <Refusal refused={refusal} unless={["amount"]} />
          <Field
            label={`In dollars, ${within}`}
            name="amount"
            id={`amount-${days}`}
            inputMode="decimal"
            value={refusal?.amount ?? (amountCents === null ? "" : typedMoney(amountCents))}
            hint={
              amountCents === null ? "You have no limit here." : `Your limit is ${formatMoney(amountCents)}.`
            }
            errors={refusal?.errors["amount"]}
            optional
          />
          <div className="row wrap">
            <Submit className="btn primary" intent="limit">
              <Named label="Set the limit" name={within} />
            </Submit>
            {amountCents === null ? null : (
              <Submit className="btn" intent="none">
                <Named label="Have no limit" name={within} />
              </Submit>
            )}
          </div>
        </PostForm>
      </div>
    </li>
  );
}

type RaiseProps = { days: LimitDays; nextAt: string; nextCents: number | null };

/** The higher limit that was asked for: when it may be confirmed, and the second yes. The server decides whether it is time. */
function Raise({ days, nextAt, nextCents }: RaiseProps) {
  const wanted = nextCents === null ? "no limit" : `a limit of ${formatMoney(nextCents)}`;
  const fields = { days, amount: nextCents === null ? "" : typedMoney(nextCents) };
  return (
    <div className="stack">
      <Note>
        {fill(`You have asked for ${wanted}. From {at} on you can say yes.`, { at: <Moment at={nextAt} /> })}
      </Note>
      <PostButton intent={nextCents === null ? "none" : "limit"} fields={fields} className="btn sm primary">
        {`Yes, ${wanted}`}
      </PostButton>
    </div>
  );
}

function Break({ spending }: { spending: SpendingView }) {
  const going = spending.break;
  return (
    <Panel title="Take a break">
      <div className="body stack">
        {going === null ? null : <OnBreak until={going.endsAt} />}
        <p className="small ink2">
          On a break you make no calls and no deposits, and get no invitations and no reminders. You can still
          sign in, read everything and download your data. Nobody can end it early: not you, and not the
          people who run this site.
        </p>
        <Confirm
          label={going === null ? "Take a break" : "Make it longer"}
          title={going === null ? "Begin a break now?" : "Make the break longer?"}
          act={{ label: "Begin", intent: "break" }}
        >
          <p>It begins now, and cannot be taken back. Open calls stay, and are paid.</p>
          <Choice
            label="How long"
            name="period"
            options={breakPeriods.map((period) => ({
              value: period,
              label: ["day", "week", "month"].includes(period)
                ? periodLabel(period)
                : `${periodLabel(period)} (self-exclusion)`,
            }))}
            value="day"
          />
        </Confirm>
      </div>
    </Panel>
  );
}

function Sums({ spending: { monthCents, visit } }: { spending: SpendingView }) {
  return (
    <Panel title="What it comes to" aside={<Link to={`${SPENDING_PATH}/statement`}>Statements</Link>}>
      <div className="body stack">
        <p className="small">
          {fill("Paid in this month: {amount}", { amount: <b className="num">{formatMoney(monthCents)}</b> })}
        </p>
        {visit === null ? null : (
          <p className="small">
            {fill("Won or lost since you signed in, {at}: {amount}", {
              at: <Moment at={visit.since} />,
              amount: <b className="num">{formatMoney(visit.netCents)}</b>,
            })}
          </p>
        )}
      </div>
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
          <li key={reference} className="row wrap body">
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

type SpendingData = { spending: SpendingView; formKey: string };

/** The viewer's spending. Not found where payments are off. */
export async function loadSpending({ context, request }: LoaderFunctionArgs): Promise<SpendingData> {
  const { spending } = await context.get(apiContext).get("/api/v1/spending", { signal: request.signal });
  return { spending, formKey: randomId() };
}

type SpendingRefusal = Refused & { intent: string; days: string; amount: string };

const max = DEPOSIT_LIMIT_MAX_CENTS / 100;

/** Sets a limit, begins a break, or sends back what was not used. */
export async function actOnSpending({ context, request }: ActionFunctionArgs) {
  const api = context.get(apiContext);
  const form = readForm(await request.formData(), {
    intent: "text",
    days: "text",
    amount: "text",
    period: "text",
    reference: "text",
    key: "text",
  });
  const { intent, days, amount, period, reference, key } = form;
  try {
    if (intent === "break") {
      const asked = breakPeriods.find((known) => known === period);
      if (asked === undefined) throw data(null, { status: 400 });
      await api.put("/api/v1/spending/break", { break: { period: asked } });
    } else if (intent === "return") {
      const path = `/api/v1/payments/${encodeURIComponent(reference)}/return` as const;
      await api.post(path, undefined, { headers: { "idempotency-key": key } });
    } else {
      const dollars = intent === "none" ? null : typedDollars(amount, { min: 1, max });
      const { spending } = await api.put(`/api/v1/spending/limits/${Number(days)}`, {
        limit: { amount: dollars },
      });
      const isAsked = spending.limits.some((limit) => String(limit.days) === days && limit.nextAt !== null);
      return seeOther(`${SPENDING_PATH}?done=${isAsked ? "asked" : "limit"}`);
    }
    return seeOther(`${SPENDING_PATH}?done=${intent}`);
  } catch (error) {
    return refuseForm<SpendingRefusal>(error, { intent: intent === "none" ? "limit" : intent, days, amount });
  }
}
