import { Form } from "react-router";
import { currentPassword } from "#client/sign-ins/account-form-texts.ts";
import { Choice } from "#client/ui/choice.tsx";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { Field } from "#client/ui/field.tsx";
import { Note } from "#client/ui/note.tsx";
import { Panel } from "#client/ui/page-layout.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { useErrorFocus } from "#client/ui/use-error-focus.ts";
import { tokenScopes } from "#db/lists/access-tokens.ts";
import { scopeLabel, TOKEN_NAME_LENGTH_MAX, VALID_DAYS_DEFAULT } from "#src/people/access-tokens/contract.ts";
import * as texts from "./access-tokens-texts.ts";
import type { TokensRefusal } from "./act-on-access-tokens.ts";

const lifetimesDays = [1, 7, 30, VALID_DAYS_DEFAULT, 365];
const scopeOptions = tokenScopes.map((value) => ({ value, label: scopeLabel(value) }));
const dayOptions = lifetimesDays.map((count) => ({ value: String(count), label: texts.days(count) }));

type MakeTokenProps = {
  refusal: TokensRefusal | undefined;
  /** The sign-in is no proof: it was not by a passkey in the last minutes. */
  needsPassword: boolean;
};

/** The form that makes a token. */
export function MakeToken({ refusal, needsPassword }: MakeTokenProps) {
  const form = useErrorFocus<HTMLFormElement>(refusal);
  return (
    <Panel title={texts.make}>
      <Form className="body stack" method="post" action="/profile/tokens" ref={form}>
        <CsrfField />
        {refusal === undefined || hasOwnField(refusal) ? null : <Note tone="bad">{refusal.refusal}</Note>}
        <Field
          label={texts.name}
          name="name"
          maxLength={TOKEN_NAME_LENGTH_MAX}
          hint={texts.nameHint}
          value={refusal?.name ?? ""}
          errors={refusal?.errors["name"]}
        />
        <Choice
          label={texts.scope}
          name="scope"
          options={scopeOptions}
          value={refusal?.scope ?? "read"}
          hint={texts.scopeHint}
        />
        <Choice
          label={texts.validFor}
          name="valid_days"
          options={dayOptions}
          value={refusal?.validDays ?? String(VALID_DAYS_DEFAULT)}
        />
        {needsPassword ? (
          <Field
            label={currentPassword}
            name="user[current_password]"
            type="password"
            autoComplete="current-password"
            errors={refusal?.errors["currentPassword"]}
          />
        ) : null}
        <Submit intent="make">{texts.make}</Submit>
      </Form>
    </Panel>
  );
}

/** The error is shown beside its field. */
function hasOwnField({ errors }: TokensRefusal): boolean {
  return errors["name"] !== undefined || errors["currentPassword"] !== undefined;
}
