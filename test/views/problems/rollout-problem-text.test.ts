/** What keeps a change of many devices from being requested, in words. */
import { expect, it } from 'vitest';
import { renderView } from '../../../src/views/render.ts';
import { renderedText } from '../rendered-text.ts';

it('says that a reason is required, with the line to complete', () => {
  const line = '/fleet reboot os:linux because REASON';
  const choice = { command: 'reboot', input: {} };
  const offers = [{ kind: 'line', does: 'form', line, choice }] as const;
  const problem = { kind: 'reason-required', devices: 30, from: 25, offers } as const;
  const text = renderedText(renderView({ kind: 'problem', problem }));
  expect(text).toContain('A change of 30 devices needs a reason.');
  expect(text).toContain('Complete this line, or enter the reason in the form:');
  expect(text).toContain(`\`${line}\``);
  expect(text).not.toContain('Did you mean');
});
