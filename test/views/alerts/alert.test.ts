import { describe, expect, it } from 'vitest';
import { patch } from '../../../src/commands/patch.ts';
import { readButtonValue } from '../../../src/views/kit/button-value.ts';
import type { View } from '../../../src/views/model.ts';
import { render } from '../../../src/views/render.ts';
import { testPorts } from '../../commands/ports.ts';
import { aDevice, aPackage } from '../../harness/builders.ts';
import { anAlert } from '../../harness/records.ts';
import { buttons, words } from '../drawn.ts';

describe('failed patch', () => {
  const view: View = { kind: 'alert', alert: anAlert({ reason: 'exit `1` <b>' }) };

  it('shows the reason as code', () => {
    expect(words(render(view))).toContain('`exit ˋ1ˋ &lt;b&gt;`');
  });

  it('offers device, scan and a retry that the patch command accepts', async () => {
    const offered = buttons(render(view));
    expect(offered.map(({ action }) => action)).toEqual([
      'device',
      'scan',
      'retry',
      'acknowledge',
      'silence:device',
    ]);
    const value = readButtonValue(offered[2]?.value ?? '');
    if (value?.do !== 'run') throw new Error('a retry runs a command');
    expect(value.command).toBe('patch');
    const { ports } = testPorts({ devices: [aDevice()], packages: [aPackage()] });
    expect(await patch.plan(value.input, ports)).toMatchObject({
      kind: 'proposal',
      proposal: { command: { kind: 'patch', packages: ['openssl'] }, reason: 'Retry after: exit `1` <b>' },
    });
  });

  it('leaves the retry out when its packages are too many for a button, and says how to go on', () => {
    const packages = Array.from({ length: 300 }, (_, at) => ({ name: `package-${at}`, displayName: null }));
    const shown = render({ kind: 'alert', alert: anAlert({ packages }) });
    expect(buttons(shown).map(({ action }) => action)).not.toContain('retry');
    expect(words(shown)).toContain('ask for them with the patch command');
  });
});
