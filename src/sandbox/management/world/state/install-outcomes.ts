/** Which commanded installs fail: on one device or all, of one patch or all. */

/** Absent means any. */
export type InstallScope = {
  readonly deviceId?: number | undefined;
  readonly patch?: string | undefined;
};
type InstallRule = { readonly deviceId: number; readonly patch: string };

export type InstallOutcomes = {
  /** From now on installs in this scope fail, or succeed; the newest decision about an install counts. */
  readonly decide: (scope: InstallScope, fail: boolean) => void;
  readonly fails: (install: InstallRule) => boolean;
};

/** Initially every install succeeds. */
export function createInstallOutcomes(): InstallOutcomes {
  let decisions: readonly { readonly scope: InstallScope; readonly fail: boolean }[] = [];
  return {
    decide(scope, fail) {
      decisions = [...decisions.filter((older) => !coversScope(scope, older.scope)), { scope, fail }];
    },
    fails: (install) => decisions.findLast(({ scope }) => coversScope(scope, install))?.fail ?? false,
  };
}

/** Whether `wide` covers everything that `narrow` covers. */
function coversScope(wide: InstallScope, narrow: InstallScope): boolean {
  const covers = (name: keyof InstallScope) => wide[name] === undefined || wide[name] === narrow[name];
  return covers('deviceId') && covers('patch');
}
