/** Who can change the fleet: one file calls what does. */
import { describe, expect, it } from 'vitest';
import { CODE, IMPORTS } from './harness/sources.ts';

/** The one place that changes the fleet. */
const FLEET_CALLS = 'src/requests/run/fleet-calls.ts';

describe('what changes the fleet', () => {
  const outside = CODE.filter(({ path }) => !/^src\/(fleet|sandbox)\//.test(path));
  const pathsWith = (pattern: RegExp) =>
    outside
      .filter(({ text }) => pattern.test(text))
      .map(({ path }) => path)
      .toSorted();
  /** The functions that a type of the fleet has. */
  const functionsOf = (path: string, type: string): readonly string[] => {
    const text = CODE.find((file) => file.path === path)?.text ?? '';
    const [, body = ''] = new RegExp(`export type ${type} = \\{\\n(.*?)\\n\\};`, 's').exec(text) ?? [];
    return [...body.matchAll(/^ {2}readonly (\w+):/gm)].map(([, name = '']) => name);
  };
  const writes = functionsOf('src/fleet/fleet.ts', 'FleetWriter');
  const edits = functionsOf('src/fleet/fleet.ts', 'FleetEditor');
  /** A function of an object, by its name or in brackets, or taken out of the writer or editor. */
  const useOf = (name: string) =>
    new RegExp(
      `\\.${name}\\b|\\[.${name}.\\]|\\{[^{}]*\\b${name}\\b[^{}]*\\} = [\\w.]*(?:writer|editor)\\b`,
      'g',
    );
  /** Where these functions are called, as `path name` for each call. */
  const callsOf = (names: readonly string[]) =>
    outside.flatMap(({ path, text }) =>
      names.flatMap((name) => (text.match(useOf(name)) ?? []).map(() => `${path} ${name}`)),
    );

  it('the writer and the editor are held by the calls of requests alone; a kind reads by the editor', () => {
    expect(pathsWith(/\bFleetWriter\b/)).toEqual(['src/requests/requests.ts', FLEET_CALLS]);
    expect(pathsWith(/\bFleetEditor\b/)).toEqual([
      'src/requests/kinds/kind.ts',
      'src/requests/requests.ts',
      FLEET_CALLS,
    ]);
    expect(CODE.find(({ path }) => path === 'src/requests/kinds/kind.ts')?.text).toContain(
      "readonly editor: Pick<FleetEditor, 'checkDevice' | 'checkGroup' | 'checkPolicy'>;",
    );
  });

  it('each has exactly one caller', () => {
    expect(writes).toEqual(['issue']);
    expect(callsOf(writes)).toEqual([`${FLEET_CALLS} issue`]);
    const changing = edits.filter((name) => !name.startsWith('check'));
    expect(changing).toEqual(expect.arrayContaining(['createGroup', 'deleteDevice', 'updatePolicy']));
    expect(callsOf(changing).toSorted()).toEqual(
      [
        'createGroup',
        'createPolicy',
        'deleteDevice',
        'deleteGroup',
        'tagDevices',
        'updateDevice',
        'updateGroup',
        'updatePolicy',
      ].map((name) => `${FLEET_CALLS} ${name}`),
    );
  });

  it('what runs requests is known to those who join requests, and its types to what follows them', () => {
    const users = IMPORTS.filter(({ to }) => to.startsWith('src/requests/run/')).filter(
      ({ from }) => !from.startsWith('src/requests/run/'),
    );
    const paths = (typeOnly: boolean) => [
      ...new Set(users.filter((one) => one.typeOnly === typeOnly).map(({ from }) => from)),
    ];
    expect(paths(false)).toEqual(['src/requests/requests.ts']);
    expect(paths(true)).toEqual(['src/requests/follow/follow-request.ts']);
  });
});
