import { Link } from "react-router";
import * as words from "#client/base/format/words.ts";
import { Icon } from "../ui/icon.tsx";

type RemindLinkProps = {
  session: { slug: string; name: string };
  className: string;
  /** Shows a bell instead of the words, where there is little room. */
  isSmall?: boolean;
};

/** Leads to the page that reminds of a planned session, for everybody. */
export function RemindLink({ session: { slug, name }, className, isSmall = false }: RemindLinkProps) {
  return (
    <Link className={className} to={`/sessions/${slug}/remind`} title={isSmall ? words.remindMe : undefined}>
      {isSmall ? <Icon name="bell" size="s" /> : null}
      <span className={isSmall ? "vh" : undefined}>{words.remindMe}</span>
      <span className="vh">: {name}</span>
    </Link>
  );
}
