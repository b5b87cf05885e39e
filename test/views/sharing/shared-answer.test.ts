import { describe, expect, it } from 'vitest';
import { personId } from '../../../src/lib/ids.ts';
import { LIMIT } from '../../../src/views/kit/limits.ts';
import type { View } from '../../../src/views/model.ts';
import { renderView } from '../../../src/views/views.ts';
import { aDevice } from '../../harness/builders.ts';

const VIEW: View = { kind: 'device', device: aDevice({ lastLoggedInUser: 'anna' }), groupName: null };
const BY = personId('UOPERATOR');
const shareable = (input: unknown): View => ({
  kind: 'shareable',
  share: true,
  file: false,
  view: VIEW,
  again: { command: 'device', input, page: 0 },
});
const json = (view: View) => JSON.stringify(renderView(view).blocks);

describe('an answer that may be shared', () => {
  it('is the answer with one more button', () => {
    expect(json(VIEW)).not.toContain('"action_id":"share"');
    expect(json(shareable({ device: 1001 }))).toContain('"action_id":"share"');
    expect(renderView(shareable({ device: 1001 })).text).toBe(renderView(VIEW).text);
  });

  it('goes without the button where the question is longer than one carries', () => {
    expect(renderView(shareable({ device: 'x'.repeat(LIMIT.buttonValue) }))).toEqual(renderView(VIEW));
  });

  it('says nothing of what is for the asker alone', () => {
    const view: View = { kind: 'problem', problem: { kind: 'device-gone', query: 'anna' } };
    expect(json(view)).toContain('anna');
    expect(json({ kind: 'shared', view, by: BY })).not.toContain('anna');
  });

  it('shows its reader who was logged in, and a channel who shares it instead', () => {
    expect(json(shareable({}))).toContain('anna');
    const shared = json({ kind: 'shared', view: VIEW, by: BY });
    expect(shared).not.toContain('anna');
    expect(shared).toContain('Shared by <@UOPERATOR>');
    expect(shared).not.toContain('"action_id":"share"');
  });

  it.each([false, true])(
    'mentions nobody in a channel, even where the reader was told whom to ask (personal: %s)',
    (personal) => {
      const view: View = { ...VIEW, lookOnly: { ask: [personId('UADMIN')] } };
      expect(json(view)).toContain('ask <@UADMIN> for the operator role');
      const shared = json({ kind: 'shared', view, by: BY, personal });
      expect(shared).not.toContain('UADMIN');
      expect(shared).not.toContain('You may look');
      // The person who shares may only look, so nothing more is offered in their name.
      expect(shared).not.toContain('"action_id":"reboot"');
    },
  );
});
