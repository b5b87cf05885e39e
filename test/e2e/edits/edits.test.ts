/** Edits of devices and groups from Slack: requested, decided, done once, and searched for if an answer is lost. */
import { describe, expect, it } from 'vitest';
import { useReset } from '../../harness/use-started.ts';
import { startKillableSandbox } from '../crashes/killable-sandbox.ts';
import { messageText } from '../harness/sandbox-people.ts';
import { deviceEditTests } from './device-edits.ts';
import { createEditsHarness } from './edits-harness.ts';
import { formEditTests } from './edits-in-forms.ts';
import { groupEditTests } from './group-edits.ts';
import { policyEditTests } from './policy-edits.ts';
import { removalTests } from './removals.ts';

describe('edits', () => {
  const people = useReset(startKillableSandbox);

  deviceEditTests(() => people);
  groupEditTests(() => people);
  policyEditTests(() => people);
  formEditTests(() => people);
  removalTests(() => people);

  const { edits } = createEditsHarness(() => people);

  it('is refused to who may only look, and to strangers', async () => {
    for (const text of [
      'device-edit web-01 name:X',
      'group-create X',
      'group-edit Kiosks every:6h',
      'policy-create X',
      'policy-edit #2101 days:every',
    ])
      for (const [user, channel] of [
        ['viewer', 'ops'],
        ['outsider', 'random'],
      ] as const)
        expect(messageText(await people.runs(user, text, channel))).toMatch(/role|not allowed/i);
    expect(await edits()).toEqual([]);
  });
});
