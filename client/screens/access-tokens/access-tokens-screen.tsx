import { useActionData, useLoaderData, useSearchParams } from "react-router";
import { formatDate } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import { Confirm } from "#client/ui/confirm.tsx";
import { EmptyState } from "#client/ui/empty-state.tsx";
import { fill } from "#client/ui/fill.tsx";
import { Note } from "#client/ui/note.tsx";
import { PageLayout, Panel } from "#client/ui/page-layout.tsx";
import { Pill } from "#client/ui/pill.tsx";
import { SecretField } from "#client/ui/secret-field.tsx";
import { Moment } from "#client/ui/time.tsx";
import { scopeLabel } from "#src/people/access-tokens/contract.ts";
import type {
  AccessTokensAnswer,
  AccessTokenView,
  NewAccessTokenAnswer,
} from "#src/people/access-tokens/schemas.ts";
import * as texts from "./access-tokens-texts.ts";
import type { TokensOutcome } from "./act-on-access-tokens.ts";
import { MakeToken } from "./make-token.tsx";

/** The admin's own access tokens: what each may do, when it was last used, and a button that revokes it. */
export function AccessTokensScreen() {
  const { accessTokens, fresh } = useLoaderData<AccessTokensAnswer>();
  const outcome = useActionData<TokensOutcome>();
  const made = outcome !== undefined && "secret" in outcome ? outcome : null;
  const refusal = outcome !== undefined && "refusal" in outcome ? outcome : undefined;
  const [search] = useSearchParams();
  return (
    <PageLayout title={texts.title}>
      {made === null && refusal === undefined && search.get("done") === "revoked" ? (
        <Note tone="ok">{texts.wasRevoked}</Note>
      ) : null}
      {made === null ? null : <Made {...made} />}
      <div className="split">
        <Panel title={texts.list} aside={accessTokens.length}>
          <TokenList accessTokens={accessTokens} />
        </Panel>
        <MakeToken key={made?.accessToken.id} refusal={refusal} needsPassword={!fresh} />
      </div>
      <p className="small ink2">
        {texts.about} <a href="/api#access-tokens">{texts.reference}</a>
      </p>
    </PageLayout>
  );
}

function Made({ accessToken, secret }: NewAccessTokenAnswer) {
  return (
    <Panel title={texts.made}>
      <div className="body stack" role="status">
        <p>{texts.madeAbout}</p>
        <SecretField secret={secret} label={texts.secretOf(accessToken.name)} />
      </div>
    </Panel>
  );
}

function TokenList({ accessTokens }: Pick<AccessTokensAnswer, "accessTokens">) {
  if (accessTokens.length === 0) {
    return (
      <EmptyState icon="lock" title={texts.none}>
        <p>{texts.noneAbout}</p>
      </EmptyState>
    );
  }
  return (
    <ul className="list">
      {accessTokens.map((token) => (
        <TokenRow key={token.id} token={token} />
      ))}
    </ul>
  );
}

function TokenRow({ token }: { token: AccessTokenView }) {
  const { id, name, scope, hint, createdAt, expiresAt, lastUsedAt } = token;
  const zone = useTimeZone();
  return (
    <li className="token-row">
      <div className="grow stack">
        <p className="row wrap">
          <b className="wrap-anywhere">{name}</b>
          <Pill icon={scope === "run" ? "bolt" : "eye"} tone={scope === "run" ? "warn" : "outline"}>
            {scopeLabel(scope)}
          </Pill>
          <span className="small ink2 num">{texts.endsIn(hint)}</span>
        </p>
        <p className="small ink2">
          {fill(lastUsedAt === null ? texts.unused : texts.used, {
            made: formatDate(createdAt, zone),
            used: lastUsedAt === null ? null : <Moment at={lastUsedAt} />,
            until: formatDate(expiresAt, zone),
          })}
        </p>
      </div>
      <Confirm
        label={
          <>
            {texts.revoke}
            <span className="vh">: {name}</span>
          </>
        }
        className="btn sm bad"
        title={texts.revokeTitle(name)}
        act={{ label: texts.revoke, intent: "revoke" }}
      >
        <p>{texts.revokeAbout}</p>
        <input type="hidden" name="id" value={id} />
      </Confirm>
    </li>
  );
}
