import { Form } from "react-router";
import { TYPED_CODE_LENGTH_MAX } from "#src/show/join-codes/contract.ts";
import { Labelled } from "../ui/labelled.tsx";
import { Note } from "../ui/note.tsx";

type CodeFormProps = {
  label: string;
  /** What was typed, and what is wrong with it. */
  typed?: string;
  refusal?: string | null;
};

const ID = "join-code";

/** The field for a session's code. It leads to `/join`, and works without JavaScript too. */
export function CodeForm({ label, typed = "", refusal = null }: CodeFormProps) {
  return (
    <Form className="stack" action="/join">
      {refusal === null ? null : (
        <Note tone="bad">
          <span id={`${ID}-wrong`}>{refusal}</span>
        </Note>
      )}
      <Labelled id={ID} label={label}>
        <div className="code-field">
          <input
            className="input"
            id={ID}
            name="code"
            defaultValue={typed}
            maxLength={TYPED_CODE_LENGTH_MAX}
            placeholder="ABC 234"
            required
            autoCapitalize="characters"
            autoComplete="off"
            spellCheck={false}
            aria-invalid={refusal !== null}
            aria-describedby={refusal === null ? undefined : `${ID}-wrong`}
          />
          <button className="btn" type="submit">
            Go
          </button>
        </div>
      </Labelled>
    </Form>
  );
}
