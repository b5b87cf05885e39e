/** Which commanded installs will fail: by order, on one device or all, of one patch or all. */

/** Absent means any. */
export type InstallScope = {
  readonly deviceId?: number | undefined;
  readonly patch?: string | undefined;
};
type Install = { readonly deviceId: number; readonly patch: string };

export type Installs = {
  /** From now on installs in this scope fail, or work; the newest order about an install holds. */
  readonly decide: (scope: InstallScope, fail: boolean) => void;
  readonly fails: (install: Install) => boolean;
};

/** Everything works. */
export function createInstalls(): Installs {
  let orders: readonly { readonly scope: InstallScope; readonly fail: boolean }[] = [];
  return {
    decide(scope, fail) {
      orders = [...orders.filter((older) => !holds(scope, older.scope)), { scope, fail }];
    },
    fails: (install) => orders.findLast(({ scope }) => holds(scope, install))?.fail ?? false,
  };
}

/** Whether `wide` is about everything that `narrow` is about. */
function holds(wide: InstallScope, narrow: InstallScope): boolean {
  const covers = (name: keyof InstallScope) => wide[name] === undefined || wide[name] === narrow[name];
  return covers('deviceId') && covers('patch');
}
