import { test } from "bun:test";
import {
  Component,
  createContext,
  forwardRef,
  Fragment,
  memo,
  type ReactNode,
  StrictMode,
  Suspense,
  use,
  useCallback,
  useContext,
  useDeferredValue,
  useEffect,
  useId,
  useMemo,
  useReducer,
  useRef,
  useState,
  useSyncExternalStore,
  useTransition,
} from "react";
import { expectReactsBytes } from "./compare.ts";

const Level = createContext("none");
Level.displayName = "Level";

function Reader() {
  return <i>{useContext(Level)}</i>;
}

function Ids({ depth }: { depth: number }): ReactNode {
  const [first, second] = [useId(), useId()];
  return (
    <p id={first} aria-describedby={second}>
      {depth === 0 ? null : [<Ids key="a" depth={depth - 1} />, <Ids key="b" depth={depth - 1} />]}
    </p>
  );
}

test("text between other nodes is written as React writes it", async () => {
  await expectReactsBytes(
    <p>
      {"a"}
      {"b"} {1}
      {""}
      {2n}
      <b>c</b>d{null}e{false}f{[]}g{["h", "i"]}
      <>j</>k<br />l<Suspense>m</Suspense>n<Suspense />o
    </p>,
  );
  await expectReactsBytes(["a", <Fragment key="b">b</Fragment>, "", "c", new Set(["d", "e"])]);
  await expectReactsBytes(`<a href='x'>"quoted" & 'that'</a> 🎲 مرحبا`);
  await expectReactsBytes(null);
});

test("components of all kinds are rendered as React renders them", async () => {
  const Memo = memo(({ name }: { name: string }) => <b>{name}</b>);
  const Forwarded = forwardRef<HTMLElement, { name: string }>(({ name }, ref) => (
    <b ref={ref} title={typeof ref}>
      {name}
    </b>
  ));
  class Boundary extends Component<{ children: ReactNode }, { text: string; more?: string }> {
    static override contextType = Level;
    static getDerivedStateFromProps = (_props: object, state: { text: string }) => ({
      more: `${state.text}!`,
    });
    override state = { text: "state", more: "" };
    override render() {
      return (
        <div title={String(this.context)}>
          {this.state.more}
          {this.props.children}
        </div>
      );
    }
  }
  await expectReactsBytes(
    <StrictMode>
      <Reader />
      <Level value="one">
        <Reader />
        <Level.Provider value="two">
          <Level.Consumer>{(level) => <u>{level}</u>}</Level.Consumer>
          <Boundary>
            <Memo name="memo" />
            <Forwarded name="forwarded" />
          </Boundary>
        </Level.Provider>
        <Reader />
      </Level>
      <Reader />
    </StrictMode>,
  );
});

test("hooks return what they return in React's first rendering", async () => {
  function AllHooks() {
    const [state] = useState(() => 1);
    const [reduced] = useReducer(
      (now: number) => now + 1,
      2,
      (first) => first * 2,
    );
    const memoized = useMemo(() => state + reduced, [state, reduced]);
    const called = useCallback(() => memoized, [memoized])();
    const ref = useRef(called);
    const stored = useSyncExternalStore(
      () => () => undefined,
      () => "browser",
      () => "server",
    );
    const [pending] = useTransition();
    useEffect(() => {
      throw new Error("No effect runs.");
    });
    return (
      <p data-pending={pending} title={useDeferredValue(stored)}>
        {typeof ref}
        {called}
        {use(Level)}
      </p>
    );
  }
  await expectReactsBytes(<AllHooks />);
});

test("ids say the same position in the tree as React's, however deep the tree is", async () => {
  await expectReactsBytes(<Ids depth={6} />);
  await expectReactsBytes(
    <div>
      {Array.from({ length: 70 }, (_, index) => (
        <Suspense key={index}>
          <Ids depth={3} />
          {[[<Ids key="in" depth={1} />]]}
        </Suspense>
      ))}
    </div>,
  );
  let deep: ReactNode = <Ids depth={1} />;
  for (let level = 0; level < 40; level += 1) deep = [<i key="first" />, deep, "last"];
  await expectReactsBytes(deep);
});

test("forms and their fields are written as React writes them", async () => {
  await expectReactsBytes(
    <form className="f" method="post" action="/users?x=1&y=2" encType="text/plain" target="_blank" noValidate>
      <input name="a" type="checkbox" defaultChecked value="on" onChange={() => undefined} />
      <input
        value={0}
        name="b"
        readOnly
        checked={false}
        maxLength={3}
        size={0}
        autoFocus
        inputMode="decimal"
      />
      <textarea name="c" rows={3} defaultValue={"\n<x>"} />
      <textarea value="" readOnly />
      <select name="d" defaultValue="two">
        <option value="one">One</option>
        <option>two</option>
        <optgroup label="more">
          <option value={3}>Three</option>
        </optgroup>
      </select>
      <select multiple value={["1", "2"]} onChange={() => undefined}>
        <option value={1}>One</option>
        <option value="2" disabled>
          Two {2}
        </option>
      </select>
      <button type="submit" formAction="/other" formMethod="post" name="go" value={5} disabled={false}>
        Go {1}
      </button>
      <label htmlFor="a" tabIndex={-1}>
        L
      </label>
    </form>,
  );
});

test("the title of a drawing stays in it", async () => {
  await expectReactsBytes(
    <svg viewBox="0 0 1 1">
      <title>{`"x" & y`}</title>
      <g>
        <title id="t">In a group</title>
      </g>
    </svg>,
  );
});

test("the first pictures are announced at the start of the page, each once", async () => {
  await expectReactsBytes(
    <div>
      {Array.from({ length: 14 }, (_, index) => (
        <img key={index} src={`/pictures/${index % 12}?a=1&b=2`} alt="" width={32} height={32} />
      ))}
      <img src="/lazy" alt="" loading="lazy" />
      <img src="data:image/png;base64,xyz" alt="" />
    </div>,
  );
});
