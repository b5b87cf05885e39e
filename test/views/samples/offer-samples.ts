/** Suggestions of each kind, with one text in every field that others choose. */
import { deviceId } from '../../../src/lib/ids.ts';
import type { Offer } from '../../../src/views/models/problem-model.ts';
import { aDevice, START } from '../../harness/builders.ts';
import type { SampleContent } from './sample-content.ts';

export function offersWith({ text, count }: SampleContent): readonly Offer[] {
  const device = { ...aDevice({ name: text, customName: text }), id: deviceId(1) };
  const line = { device, groupName: text, seenAt: START, addresses: [text], serialNumber: text };
  const choice = { command: 'reboot', input: { device: 1, reason: text } };
  const offers: readonly Offer[] = [
    { kind: 'device', line, choice },
    {
      kind: 'device',
      line,
      page: 'volumes',
      choice: { command: 'device', input: { device: 1, page: 'volumes' } },
    },
    {
      kind: 'named',
      what: 'group',
      name: text,
      id: 20,
      detail: text,
      choice: { command: 'group', input: { group: 20 } },
    },
    { kind: 'line', line: text, does: 'form', choice: { command: 'reboot', input: { device: text } } },
    { kind: 'line', line: text, does: 'set', choice: { command: 'alias', input: { name: text } } },
    { kind: 'line', line: text, does: 'run', choice: { command: 'devices', input: { words: [text] } } },
  ];
  return Array.from({ length: Math.max(1, Math.ceil(count / offers.length)) }, () => offers).flat();
}
