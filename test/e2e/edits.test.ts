/** Devices and groups are edited from Slack: asked for, decided, done once, and looked for where an answer is lost. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createEdits } from './edits-hand.ts';
import { editForms } from './edits-in-forms.ts';
import { deviceEdits } from './edits-of-devices.ts';
import { groupEdits } from './edits-of-groups.ts';
import { type MortalTown, startMortalTown } from './mortal-town.ts';
import { wordsOf } from './town.ts';

describe('edits', () => {
  let town: MortalTown;
  beforeAll(async () => {
    town = await startMortalTown();
  });
  afterAll(() => town.stop());
  beforeEach(async () => {
    await town.reset();
  });

  deviceEdits(() => town);
  groupEdits(() => town);
  editForms(() => town);

  const { edits } = createEdits(() => town);

  it('is refused to who may only look, and to strangers', async () => {
    for (const text of ['device-edit web-01 name:X', 'group-create X', 'group-edit Kiosks every:6h'])
      for (const [user, channel] of [
        ['viewer', 'ops'],
        ['outsider', 'random'],
      ] as const)
        expect(wordsOf(await town.asks(user, text, channel))).toMatch(/role|not allowed/i);
    expect(await edits()).toEqual([]);
  });
});
