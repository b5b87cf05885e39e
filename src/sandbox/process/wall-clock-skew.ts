/** A wrong wall clock for one process: everything in it reads a shifted time of day. */

/** From now on the time of day is `ms` later than this machine's (negative: earlier). */
export function skewWallTime(ms: number): void {
  if (ms === 0) return;
  const RealDate = Date;
  const { now: realNow } = Date;
  const now = (): number => realNow() + ms;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, maker) => Reflect.construct(target, args.length === 0 ? [now()] : args, maker),
    // Date() without `new` returns the time as text.
    apply: () => new RealDate(now()).toString(),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  });
}
