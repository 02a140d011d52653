import { Link } from "react-router";
import { say } from "#src/http/contract.ts";
import { site } from "#src/settings/contract.ts";
import { Icon } from "./icon.tsx";

type BrandProps = { short?: "only-wide" | "always" };

export function Brand({ short = "only-wide" }: BrandProps) {
  const { name, logo } = site();
  return (
    <>
      {logo === null ? <Icon name="mark" size="l" /> : <img src={logo} alt="" width={28} height={28} />}
      <span className={short === "only-wide" ? "brand-word" : ""}>{name}</span>
    </>
  );
}

/** The name of the site, which leads to the sessions. */
export function HomeLink(props: BrandProps) {
  return (
    <Link className="brand" to="/sessions" aria-label={say`${site().name}, sessions`}>
      <Brand {...props} />
    </Link>
  );
}

/** The large mark behind a single card; none beside a logo of the site's own. */
export function GiantMark() {
  if (site().logo !== null) return null;
  return (
    <div className="hero" aria-hidden="true">
      <Icon name="mark" />
    </div>
  );
}
