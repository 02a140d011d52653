import { Link } from "react-router";
import { Icon } from "../ui/icon.tsx";
import { ariaOf } from "../ui/labelled.tsx";

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
          I accept the{" "}
          <Link to="/terms" target="_blank">
            terms<span className="vh"> (opens in a new tab)</span>
          </Link>
        </span>
      </label>
      {errors.length === 0 ? null : (
        <span className="err" id={`${ID}-error`}>
          <Icon name="warning" size="s" />
          Terms {errors.join(", ")}
        </span>
      )}
    </div>
  );
}
