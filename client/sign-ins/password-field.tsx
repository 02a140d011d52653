import { useState } from "react";
import { ariaOf, idOf, Labelled, type LabelProps } from "../ui/labelled.tsx";
import * as texts from "../ui/ui-texts.ts";

type PasswordFieldProps = Pick<LabelProps, "label" | "hint" | "errors"> & {
  name: string;
  /** The field may stay empty. */
  optional?: true;
};

/** A new password, typed once. A button shows it, so that a wrong letter is seen; without JavaScript the field has no button. */
export function PasswordField({ label, name, hint, errors, optional }: PasswordFieldProps) {
  const [isShown, setShown] = useState(false);
  const id = idOf(name);
  return (
    <Labelled label={label} id={id} hint={hint} errors={errors}>
      <div className="password">
        <input
          className="input"
          id={id}
          name={name}
          type={isShown ? "text" : "password"}
          autoComplete="new-password"
          autoCapitalize="none"
          spellCheck={false}
          required={optional !== true}
          {...ariaOf(id, { hint, errors })}
        />
        <button
          className="btn bare sm"
          type="button"
          aria-controls={id}
          aria-label={isShown ? texts.hidePassword : texts.showPassword}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? texts.hide : texts.show}
        </button>
      </div>
    </Labelled>
  );
}
