/**
 * Shifts the clock of this process, as on a machine whose clock is wrong. For a file that a child process loads first.
 * `performance.now()` and the dates that others make keep their type, as with a wrong clock.
 */
export function shiftClock(byMs: number): void {
  const RealDate = Date;
  const realNow = RealDate.now.bind(RealDate);
  RealDate.now = () => realNow() + byMs;
  const shifted = new Proxy(RealDate, {
    construct: (target, args: readonly unknown[], newTarget) => {
      const made: Date = Reflect.construct(
        target,
        args.length === 0 ? [target.now()] : args,
        newTarget === shifted ? target : newTarget,
      );
      return made;
    },
    apply: (target) => new target(target.now()).toString(),
  });
  RealDate.prototype.constructor = shifted;
  globalThis.Date = shifted;
}
