import { expect, it } from 'vitest';
import { missingForm } from '../../../src/commands/missing.ts';
import { groupId } from '../../../src/lib/ids.ts';
import { aGroup } from '../../harness/builders.ts';
import { testPorts } from '../harness/ports.ts';

it.each<[string, unknown, readonly string[]]>([
  ['its groups', { group: ['Servers', 30] }, ['20', '30']],
  ['no group, for everywhere', { group: null }, []],
  ['no group that is not there', { group: ['Servers', 'Attic'] }, ['20']],
  ['nothing of what does not fit', { group: {} }, []],
])('the form of missing opens with %s', async (_, input, chosen) => {
  const groups = [
    aGroup({ id: groupId(1), name: '', parentId: groupId(1) }),
    aGroup({ id: groupId(20), name: 'Servers' }),
    aGroup({ id: groupId(30), name: 'Kiosks' }),
  ];
  const opened = await missingForm.open(input, testPorts({ groups }).ports);
  const fields = opened.kind === 'form' ? opened.form.fields : [];
  expect(fields.find((field) => 'id' in field && field.id === 'group')).toMatchObject({
    initial: chosen.map((value) => expect.objectContaining({ value })),
  });
});
