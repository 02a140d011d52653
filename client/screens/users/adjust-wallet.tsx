import { Form } from "react-router";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { Field } from "#client/ui/field.tsx";
import { Note } from "#client/ui/note.tsx";
import { Panel } from "#client/ui/page-layout.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { useErrorFocus } from "#client/ui/use-error-focus.ts";
import { REASON_LENGTH_MAX } from "#src/http/contract.ts";
import type { UserRefusal } from "./act-on-user.ts";
import * as texts from "./users-texts.ts";

type AdjustWalletProps = {
  formKey: string;
  /** The wallet is the viewer's own. */
  mine: boolean;
  refusal: UserRefusal | undefined;
};

/** For admins: the form that corrects a wallet by hand. */
export function AdjustWallet({ formKey, mine, refusal }: AdjustWalletProps) {
  const form = useErrorFocus<HTMLFormElement>(refusal);
  return (
    <Panel title={texts.adjustTheWallet}>
      <Form className="stack body" method="post" ref={form}>
        <CsrfField />
        <input type="hidden" name="key" value={formKey} />
        {refusal === undefined ? null : <Note tone="bad">{refusal.refusal}</Note>}
        <Field
          label={texts.amountInDollars}
          name="amount"
          hint={texts.amountHint}
          value={refusal?.amount ?? ""}
          errors={refusal?.errors["amount"]}
        />
        <Field
          label={texts.reason}
          name="reason"
          maxLength={REASON_LENGTH_MAX}
          hint={texts.adjustReasonHint}
          value={refusal?.reason ?? ""}
          errors={refusal?.errors["reason"]}
        />
        <Submit intent="adjust" disabledReason={mine ? texts.cannotAdjustOwnWallet : null}>
          {texts.adjust}
        </Submit>
      </Form>
    </Panel>
  );
}
