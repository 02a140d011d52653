import { data, useActionData, useLoaderData, useSearchParams } from "react-router";
import { countOf } from "#client/base/format/count.ts";
import { formatDate } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import * as words from "#client/base/format/words.ts";
import { usePage } from "#client/base/page/context.ts";
import type { LoaderArgs } from "#client/base/page/handle.ts";
import { ConfirmAtProvider } from "#client/sign-ins/provider-link.tsx";
import { Choice } from "#client/ui/choice.tsx";
import { Confirm } from "#client/ui/confirm.tsx";
import { EmptyState } from "#client/ui/empty-state.tsx";
import { Field } from "#client/ui/field.tsx";
import { fill } from "#client/ui/fill.tsx";
import { boundTo } from "#client/ui/forms/bind.ts";
import { formAction, type RefusedForm } from "#client/ui/forms/form-action.ts";
import { Named, PostForm } from "#client/ui/forms/post-form.tsx";
import { inUser, readForm } from "#client/ui/forms/read-form.ts";
import { List } from "#client/ui/list.tsx";
import { Note } from "#client/ui/note.tsx";
import { PageLayout, Panel } from "#client/ui/page-layout.tsx";
import { Pill } from "#client/ui/pill.tsx";
import { SecretPanel } from "#client/ui/secret-field.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { Moment } from "#client/ui/time.tsx";
import { programScopes } from "#db/lists/access-tokens.ts";
import { say } from "#src/http/contract.ts";
import { scopeLabel, TOKEN_NAME_LENGTH_MAX, VALID_DAYS_DEFAULT } from "#src/people/access-tokens/contract.ts";
import type {
  AccessTokensAnswer,
  AccessTokenView,
  NewAccessTokenAnswer,
} from "#src/people/access-tokens/schemas.ts";

const title = "Access tokens";
const revoke = "Revoke";
const make = "Make a token";

const lifetimesDays = [1, 7, 30, VALID_DAYS_DEFAULT, 365];
const scopeOptions = programScopes.map((value) => ({ value, label: scopeLabel(value) }));
const dayOptions = lifetimesDays.map((count) => ({ value: String(count), label: countOf(count, "day") }));

const PATH = "/api/v1/users/me/access_tokens";
const fields = { intent: "text", id: "text", name: "text", scope: "text", validDays: "text" } as const;

/** The admin's own access tokens: what each may do, when it was last used, and a button that revokes it. */
export function AccessTokensScreen() {
  const { accessTokens, fresh } = useLoaderData<AccessTokensAnswer>();
  const outcome = useActionData<TokensOutcome>();
  const made = outcome !== undefined && "secret" in outcome ? outcome : null;
  const refusal = outcome !== undefined && "refusal" in outcome ? outcome : undefined;
  const [search] = useSearchParams();
  return (
    <PageLayout title={title}>
      {made === null && refusal === undefined && search.get("done") === "revoked" ? (
        <Note tone="ok">The token is revoked. It is refused from now on.</Note>
      ) : null}
      {made === null ? null : (
        <SecretPanel
          title="Your new token"
          about="Copy it now, and keep it like a password. It is not shown again."
          secret={made.secret}
          label={say`Token ${made.accessToken.name}`}
        />
      )}
      <div className="split">
        <Panel title="Your tokens" aside={accessTokens.length}>
          <TokenList accessTokens={accessTokens} />
        </Panel>
        <MakeToken key={made?.accessToken.id} refusal={refusal} needsPassword={!fresh} />
      </div>
      <p className="small ink2">
        A program that sends a token acts for you: a bot that resolves an action, a scoreboard that reads the
        leaders. <a href="/api#access-tokens">How programs use them, in the API's reference</a>
      </p>
    </PageLayout>
  );
}

function TokenList({ accessTokens }: Pick<AccessTokensAnswer, "accessTokens">) {
  if (accessTokens.length === 0) {
    return (
      <EmptyState icon="lock" title="No token yet">
        <p>Make one for each program, so that you can revoke one without stopping the others.</p>
      </EmptyState>
    );
  }
  return <List items={accessTokens} row={(token) => <TokenRow key={token.id} token={token} />} />;
}

function TokenRow({ token }: { token: AccessTokenView }) {
  const { id, name, scope, hint, createdAt, expiresAt, lastUsedAt } = token;
  const zone = useTimeZone();
  return (
    <li className="token-row">
      <div className="grow stack">
        <p className="row wrap">
          <b className="wrap-anywhere">{name}</b>
          <Pill
            icon={scope === "run" ? "bolt" : "eye"}
            tone={scope === "run" ? "warn" : "outline"}
            text={scopeLabel(scope)}
          />
          <span className="small ink2 num">{`ends in ${hint}`}</span>
        </p>
        <p className="small ink2">
          {fill(
            lastUsedAt === null
              ? "Made {made}, never used, valid until {until}."
              : "Made {made}, last used {used}, valid until {until}.",
            {
              made: formatDate(createdAt, zone),
              used: lastUsedAt === null ? null : <Moment at={lastUsedAt} />,
              until: formatDate(expiresAt, zone),
            },
          )}
        </p>
      </div>
      <Confirm
        label={<Named label={revoke} name={name} />}
        className="btn sm bad"
        title={say`Revoke ${name}?`}
        act={{ label: revoke, intent: "revoke" }}
      >
        <p>Programs that send it are refused at once. It cannot be made valid again.</p>
        <input type="hidden" name="id" value={id} />
      </Confirm>
    </li>
  );
}

type MakeTokenProps = {
  refusal: TokensRefusal | undefined;
  /** The sign-in is no proof: it was not by a passkey in the last minutes. */
  needsPassword: boolean;
};

function MakeToken({ refusal, needsPassword }: MakeTokenProps) {
  const { oidc } = usePage();
  const bind = boundTo(refusal, { scope: "read", validDays: VALID_DAYS_DEFAULT });
  return (
    <Panel title={make}>
      <PostForm className="body stack" action="/profile/tokens" refused={refusal}>
        {refusal === undefined || hasOwnField(refusal) ? null : <Note tone="bad">{refusal.refusal}</Note>}
        <Field
          label={words.name}
          maxLength={TOKEN_NAME_LENGTH_MAX}
          hint="What uses it. The audit log shows this name."
          {...bind("name")}
        />
        <Choice
          label="It may"
          {...bind("scope")}
          options={scopeOptions}
          hint="Read: what admins read, except for people and money. Run shows: also start sessions, close and resolve actions."
        />
        <Choice label="Valid for" {...bind("validDays")} options={dayOptions} />
        {needsPassword ? (
          <Field
            label={words.currentPassword}
            name="user[current_password]"
            type="password"
            autoComplete="current-password"
            errors={refusal?.errors["currentPassword"]}
          />
        ) : null}
        {needsPassword && oidc !== undefined ? (
          <ConfirmAtProvider name={oidc.name} returnTo="/profile/tokens" />
        ) : null}
        <Submit intent="make">{make}</Submit>
      </PostForm>
    </Panel>
  );
}

/** The error is shown beside its field. */
function hasOwnField({ errors }: TokensRefusal): boolean {
  return errors["name"] !== undefined || errors["currentPassword"] !== undefined;
}

export function loadAccessTokens({ api }: LoaderArgs): Promise<AccessTokensAnswer> {
  return api.get("/api/v1/users/me/access_tokens");
}

type TokensRefusal = RefusedForm<typeof fields>;
/** What the page shows after a form: the token that was made, or a refusal. */
type TokensOutcome = NewAccessTokenAnswer | TokensRefusal;

/** Makes or revokes an access token. The new secret is in this answer only, so the page is not loaded again. */
export const actOnAccessTokens = formAction(fields, async ({ intent, id, ...terms }, { api, form }) => {
  if (intent === "revoke") {
    await api.delete(`${PATH}/${encodeURIComponent(id)}`);
    return "/profile/tokens?done=revoked";
  }
  if (intent !== "make") throw data(null, { status: 400 });
  const { name, scope } = terms;
  const { validDays } = readForm(form, { validDays: "number" });
  const { currentPassword } = readForm(form, { currentPassword: "text" }, inUser);
  return api.post(PATH, { accessToken: { name, scope, validDays, currentPassword } });
});
