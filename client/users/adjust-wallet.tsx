import { Form } from "react-router";
import { REASON_LENGTH_MAX } from "#src/http/contract.ts";
import { CsrfField } from "../frame/csrf-field.tsx";
import { Field } from "../ui/field.tsx";
import { Note } from "../ui/note.tsx";
import { Panel } from "../ui/page-layout.tsx";
import { Submit } from "../ui/submit.tsx";
import { useErrorFocus } from "../ui/use-error-focus.ts";
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
        <Submit intent="adjust" why={mine ? texts.whyNotOwnWallet : null}>
          {texts.adjust}
        </Submit>
      </Form>
    </Panel>
  );
}
