import { describe, expect, it } from 'vitest';
import { onlyMatch } from '../../../../src/commands/devices.ts';
import { fieldOfError as fieldAbout, formErrorOf } from '../../../../src/commands/forms/form-errors.ts';
import { registry } from '../../../../src/commands/index.ts';
import { channelId, groupId, newReference } from '../../../../src/lib/ids.ts';
import type { Problem } from '../../../../src/views/model.ts';
import { formFleetPorts, valuesOf } from '../form-harness.ts';

describe('the answer to a form', () => {
  const values = valuesOf({
    name: ['Web'],
    parent: ['20'],
    'group:21': ['21'],
    'packages:1': ['zlib'],
    remove: ['a'],
    reason: [],
  });
  const usage = (word: string): Problem => {
    return {
      kind: 'usage',
      command: 'x',
      usage: 'x',
      root: '/fleet',
      fault: { kind: 'bad-value', word, expected: 'y' },
    };
  };

  it.each<[Problem, string | null]>([
    [{ kind: 'group-exists', name: 'Web', parent: 'Linux servers', id: groupId(7) }, 'name'],
    [{ kind: 'no-such-group', query: '#20', nearest: [] }, 'parent'],
    [{ kind: 'no-such-group', query: '#21', nearest: [] }, 'group:21'],
    [{ kind: 'unsendable-package', name: 'a b' }, 'packages:1'],
    [usage('parent:nowhere'), 'parent'],
    [usage('every:1m'), null],
    [{ kind: 'unsendable-change', fault: { kind: 'tag-both-ways', tag: 'a' } }, 'remove'],
    [usage('group-edit'), null],
    [{ kind: 'already-so', name: 'Web' }, null],
    [{ kind: 'device-gone', query: '#1' }, null],
  ])('that is a problem stands at its field: %j', (problem, field) => {
    const snag = formErrorOf({ kind: 'problem', problem });
    expect(snag).toEqual(problem);
    expect(snag && fieldAbout(snag, values)).toBe(field);
  });

  it('is no reason to try again where something may have been done', () => {
    const reference = newReference();
    for (const problem of [
      { kind: 'unexpected', changed: 'unknown', reference },
      { kind: 'card-delayed', channel: channelId('C1'), reference },
    ] as const)
      expect(formErrorOf({ kind: 'problem', problem })).toBeNull();
  });

  it('that finds nothing says so, one device alone is shown whole, and several are listed', async () => {
    const list = (words: readonly string[]) => runRead('devices', { words, filters: [] });
    expect(formErrorOf(await list(['nowhere-at-all']))).toEqual({
      kind: 'nothing-fits',
      question: 'nowhere-at-all',
    });
    const one = await list(['web-01']);
    expect([formErrorOf(one), onlyMatch(one)]).toEqual([null, 1]);
    expect(onlyMatch(await list(['web']))).toBeNull();
  });

  const runRead = async (name: string, input: unknown) => {
    const command = registry.find(name);
    if (command?.kind !== 'read') throw new Error('no such command');
    return command.run(input, 0, formFleetPorts);
  };
});
