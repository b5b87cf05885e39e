import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fieldChanges, fitsOnCard } from '../../../src/fleet/facts/edit-changes.ts';
import type { FleetEdit } from '../../../src/fleet/model/actions.ts';
import { groupId, policyId } from '../../../src/lib/ids.ts';
import type { TargetFacts } from '../../../src/store/port/records.ts';
import type { Block } from '../../../src/views/model.ts';
import { renderView } from '../../../src/views/views.ts';
import { aRequest } from '../../harness/records.ts';
import { aDeviceToEdit, aGroupToEdit } from '../../requests/builders.ts';
import { renderedTexts } from '../rendered-text.ts';
import { readyTargets } from '../request-records.ts';

/** The card of a request with every other part as full as possible. */
function card(action: FleetEdit, things: readonly TargetFacts[]): string {
  const targets = readyTargets(...things);
  const note = { kind: 'unposted', why: '\\'.repeat(1_000) } as const;
  const request = aRequest({ action, targets, reason: '"'.repeat(2_000), note });
  const { blocks } = renderView({ kind: 'request', request });
  expect(JSON.stringify(blocks).length).toBeLessThanOrEqual(12_000);
  const shown = renderedTexts(blocks as readonly Block[]).map(({ text }) => text);
  return shown.join('\n');
}

const LETTERS = 'ab"\\&<`'.split('');
const piece = fc.string({ unit: fc.constantFrom(...LETTERS), minLength: 1, maxLength: 300 });
/** Starts and ends with unique letters, so that its escaped form can be found between them. */
const marked = fc.tuple(fc.nat(99_999), piece).map(([at, text]) => ({ text: `x${at}${text}${at}y`, at }));

describe('the changes on a card that waits', () => {
  const exclude = (exception: boolean) =>
    card({ kind: 'device-edit', change: { exception } }, [aDeviceToEdit({}, { exception: !exception })]);

  it('warn that a device that is excluded from reports is patched all the same', () => {
    expect(exclude(true)).toContain('*Reports and statistics*: included → excluded (policies still apply)');
    expect(exclude(false)).not.toContain('still apply');
    expect(exclude(true)).not.toMatch(/exce(pted|ption) from policies/i);
  });

  it('name the policies of the group that a device moves to', () => {
    const policies = [{ id: policyId(12), name: 'Harden SSH', digest: 'a' }];
    const edit = { kind: 'device-edit', change: { groupId: groupId(10) } } as const;
    expect(card(edit, [aDeviceToEdit({}, { policies })])).toContain(
      'Policies of the new group (1)*: Harden SSH (#12)',
    );
  });

  it('say what is added and removed, and quote a tag that holds a comma', () => {
    const edit = { kind: 'device-edit', change: { tags: ['prod', 'a, b'] } } as const;
    expect(card(edit, [aDeviceToEdit({}, { tags: ['prod', 'old'] })])).toContain(
      '*Tags*: add "a, b"; remove old (keeps prod)',
    );
  });

  it('mark what could be taken for several values or for our words', () => {
    const tags = ['q; remove prod', 'Remove b', 'None', '3 more', 'b or', 'Mo'];
    const edit = { kind: 'device-edit', change: { customName: 'web-01 (web-01, #4001)', tags } } as const;
    const device = card(edit, [aDeviceToEdit({ displayName: 'web-01 (web-01, #4001)' }, { tags: ['a'] })]);
    expect(device).toContain('*Custom name*: none → "web-01 (web-01, #4001)"');
    expect(device).toContain(
      '*Tags*: add "3 more", "None", "Remove b", "b or", "q; remove prod", Mo; remove a',
    );
    expect(device).toContain('*Edit* `web-01 (web-01, #4001)` (web-01, #42)');
    const policies = [{ id: policyId(7), name: 'X (#2103); remove Y' }];
    const link = { kind: 'group-edit', groupId: groupId(5), change: { policyIds: [policyId(7)] } } as const;
    expect(card(link, [aGroupToEdit({ policies, displayName: 'Kiosks and Shops' })])).toMatch(
      /`Kiosks and Shops` \(#5\).*\*Policies\*: add "X \(#2103\); remove Y" \(#7\)\n.* · #5\n/s,
    );
  });

  it('count what stays where it is too long to be listed', () => {
    const tags = Array.from({ length: 100 }, (_, at) => `tag-${at}`);
    const edit = { kind: 'device-edit', change: { retag: { add: ['new'], remove: [] } } } as const;
    expect(card(edit, [aDeviceToEdit({}, { tags })])).toContain('*Tags*: add new (keeps 100 others)');
  });

  it('warn of the policies of the group that a device moves to', () => {
    const edit = { kind: 'device-edit', change: { groupId: groupId(10) } } as const;
    const shown = card(edit, [aDeviceToEdit({}, { intoGroup: 'Kiosks' })]);
    expect(shown).toContain('*Group*: Servers (#9) → Kiosks (#10)');
    expect(shown).toContain(
      'the policies of the new group apply to the device instead of those of the current group.',
    );
  });

  it('name a new group in the title, and again only where the title had to cut it', () => {
    const create = (name: string) => {
      const group = { name, parentId: groupId(8), refreshIntervalMinutes: 720 };
      return card({ kind: 'group-create', group }, [
        aGroupToEdit({ groupId: null, group: null, displayName: name }),
      ]);
    };
    expect(create('Web')).not.toContain('*Name*');
    expect(create('w'.repeat(200))).toContain(`*Name*: ${'w'.repeat(200)}`);
  });

  it('show every tag that is set whole, or the edit is not asked for', () => {
    const tags = Array.from({ length: 200 }, (_, at) => `was-${at}`);
    fc.assert(
      fc.property(fc.array(marked, { minLength: 1, maxLength: 8 }), fc.boolean(), (added, many) => {
        const facts = aDeviceToEdit({}, { tags: many ? tags : [] });
        const retag = { add: added.map(({ text }) => text), remove: ['was-7'] };
        const edit = { kind: 'device-edit', change: { retag } } as const;
        if (!fitsOnCard(fieldChanges(edit, facts))) return;
        const shown = card(edit, [facts]);
        for (const { at } of added) {
          expect(shown).toContain(`x${at}`);
          expect(shown).toContain(`${at}y`);
        }
      }),
    );
  });

  it('show every field of a group, whatever else the card says', () => {
    const policies = Array.from({ length: 60 }, (_, at) => ({ id: policyId(at + 1), name: `Policy ${at}` }));
    const before = aGroupToEdit({ policies }, { notes: '"'.repeat(3_000), color: '"'.repeat(400) });
    const change = {
      name: 'New name',
      parentId: groupId(8),
      refreshIntervalMinutes: 720,
      color: '#D78500',
      notes: `${'"'.repeat(80)} the end of the notes`,
      osAutoUpdate: true,
      wsus: { enabled: true, server: 'http://wsus.example:8530' },
      policyIds: policies.map(({ id }) => id),
    };
    const edit: FleetEdit = { kind: 'group-edit', groupId: groupId(5), change };
    expect(fitsOnCard(fieldChanges(edit, before))).toBe(true);
    const shown = card(edit, [before]);
    for (const part of [
      'New name',
      '12 hours',
      'the end of the notes',
      'wsus.example:8530',
      'Policy 59 (#60)',
    ])
      expect(shown).toContain(part);
    expect(shown).toContain('Applies as soon as it’s approved');
  });
});
