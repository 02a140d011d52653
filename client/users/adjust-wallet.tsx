import { Form } from "react-router";
import { ADJUSTMENT_MAX } from "#src/wallet/contract.ts";
import { CsrfField } from "../frame/csrf-field.tsx";
import { Field } from "../ui/field.tsx";
import { Note } from "../ui/note.tsx";
import { Panel } from "../ui/page-layout.tsx";
import { Submit } from "../ui/submit.tsx";
import type { UserRefusal } from "./act-on-user.ts";

/** For admins: the form that corrects a wallet by hand. */
export function AdjustWallet({ formKey, refusal }: { formKey: string; refusal: UserRefusal | undefined }) {
  return (
    <Panel title="Adjust the wallet">
      <Form className="stack body" method="post">
        <CsrfField />
        <input type="hidden" name="key" value={formKey} />
        {refusal === undefined ? null : <Note tone="bad">{refusal.refusal}</Note>}
        <Field
          label="Amount in dollars"
          name="amount"
          type="number"
          step="0.01"
          min={-ADJUSTMENT_MAX}
          max={ADJUSTMENT_MAX}
          hint="Below 0 takes money away. What the wallet cannot cover is owed."
          value={refusal?.amount ?? ""}
          errors={refusal?.errors["amount"]}
        />
        <Field
          label="Reason"
          name="reason"
          maxLength={500}
          hint="The player reads it in the wallet's history."
          value={refusal?.reason ?? ""}
          errors={refusal?.errors["reason"]}
        />
        <Submit intent="adjust">Adjust</Submit>
      </Form>
    </Panel>
  );
}
