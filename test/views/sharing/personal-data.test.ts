import { describe, expect, it } from 'vitest';
import { personId } from '../../../src/lib/ids.ts';
import type { View } from '../../../src/views/model.ts';
import { renderView, withoutPersonalFields } from '../../../src/views/views.ts';
import { aDevice, START } from '../../harness/builders.ts';

const json = (view: View) => JSON.stringify(renderView(withoutPersonalFields(view)).blocks);

describe('an answer for somebody who may not see what is personal', () => {
  it('says whom to ask for the role that changes a device, and not who logged in', () => {
    const device = aDevice({ lastLoggedInUser: 'anna' });
    const words = json({ kind: 'device', device, groupName: null, lookOnly: { ask: [personId('UADMIN')] } });
    expect(words).toContain('ask <@UADMIN> for the operator role');
    expect(words).not.toContain('anna');
  });

  it('does not say that a device has no addresses', () => {
    const page = { kind: 'device-page', page: 'network', asOf: START } as const;
    const { text } = renderView(
      withoutPersonalFields({ ...page, device: aDevice({ addresses: [], privateAddresses: [] }) }),
    );
    expect(text.split('\n')[0]).toBe('Network for web-01: 0 network cards.');
    expect(text).not.toMatch(/\b(?:0|no) address/);
  });
});
