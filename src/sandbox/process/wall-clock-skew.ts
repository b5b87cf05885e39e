/** A wall clock that is wrong, for one process: everything in it that asks for the time of day is told another one. */

/** From now on the time of day is read `ms` later than this machine's (negative: earlier). */
export function skewWallTime(ms: number): void {
  if (ms === 0) return;
  const RealDate = Date;
  const { now: realNow } = Date;
  const now = (): number => realNow() + ms;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, maker) => Reflect.construct(target, args.length === 0 ? [now()] : args, maker),
    // Date() without `new` is the time as text.
    apply: () => new RealDate(now()).toString(),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  });
}
