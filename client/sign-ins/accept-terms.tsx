import { Link } from "react-router";
import { fill } from "../ui/fill.tsx";
import { Icon } from "../ui/icon.tsx";
import { ariaOf } from "../ui/labelled.tsx";
import * as texts from "./terms-texts.ts";

const ID = "user-terms";

/** The checkbox by which a new player accepts the terms. Without it the account is refused. */
export function AcceptTerms({ accepted, errors = [] }: { accepted: boolean; errors: string[] | undefined }) {
  return (
    <div className="field">
      <label className="check">
        <input
          id={ID}
          type="checkbox"
          name="user[terms]"
          value="1"
          required
          defaultChecked={accepted}
          {...ariaOf(ID, { errors })}
        />
        <span>
          {fill(texts.acceptTerms, {
            terms: (
              <Link to="/terms" target="_blank">
                {texts.termsLink}
                <span className="vh"> {texts.newTabHint}</span>
              </Link>
            ),
          })}
        </span>
      </label>
      {errors.length === 0 ? null : (
        <span className="err" id={`${ID}-error`}>
          <Icon name="warning" size="s" />
          {texts.termsProblem(errors.join(", "))}
        </span>
      )}
    </div>
  );
}
