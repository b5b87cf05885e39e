/** `silence`: holds alerts for a while instead of posting them, in every channel. */
import { HOUR } from '../lib/clock.ts';
import type { View } from '../views/model.ts';
import { deviceForScope, groupForScope } from './alerting/alert-scope.ts';
import { unknownEventsAmong } from './alerting/event-name-parser.ts';
import { silenceEnd } from './alerting/silence-duration.ts';
import {
  parseSilence,
  type SilenceInput,
  type SilenceRequest,
  silenceInput,
} from './alerting/silence-input.ts';
import type { SettingPorts } from './core/command.ts';
import { defineSettingCommand } from './core/define-command.ts';
import { silenceForm } from './forms/silence-form.ts';
import { problemView } from './parser/usage-errors.ts';

const DEFAULT_DURATION = { for: 2 * HOUR } as const;

export const silenceCommand = defineSettingCommand<SilenceInput>({
  name: 'silence',
  usage: 'silence EVENTS|group:NAME|device:NAME [for 2h|until 18:00] [because REASON] | off N',
  summary: 'Hold alerts for a while instead of posting them. Each channel gets a count at the end.',
  examples: [
    'silence patch-failed group:"Linux servers" for 2h because maintenance',
    'silence device:web-01 until 18:00',
    'silence off 3',
  ],
  input: silenceInput,
  form: silenceForm,
  permission: 'propose',
  parse: parseSilence,
  run: (input, _page, ports) => ('off' in input ? endSilence(input.off, ports) : beginSilence(input, ports)),
});

async function beginSilence(input: SilenceRequest, ports: SettingPorts): Promise<View> {
  const { settings, clock, asker } = ports;
  const again = (key: 'group' | 'device' | 'events') => (value: unknown) => ({
    command: 'silence',
    input: { ...input, [key]: value },
  });
  const group = await groupForScope(input.group, again('group'), ports);
  if (group.kind === 'view') return group.view;
  const device = await deviceForScope(input.device, again('device'), ports);
  if (device.kind === 'view') return device.view;
  const zone = await settings.people.timezone(asker);
  const lasts = input.lasts ?? DEFAULT_DURATION;
  const { until, skipped } = silenceEnd(lasts, clock.now(), zone);
  const result = await settings.alerts.silence({
    scope: { kinds: input.events, group: group.value, device: device.value, patch: input.package },
    reason: input.reason,
    createdBy: asker,
    until,
  });
  if (result.kind === 'full') {
    const { limit, own } = result;
    return problemView({ kind: 'too-many-silences', most: limit, own });
  }
  const { silence } = result;
  // A hostname such as mac12.local reads as an event's name.
  const unknown = unknownEventsAmong(silence.scope.kinds, again('events')).map(({ name, meant }) => {
    const word = `device:${name}`;
    const events = input.events.filter((event) => event !== name);
    const choice = { command: 'silence', input: { ...input, events, device: name } };
    return { name, meant: meant ?? (input.device === null ? { word, choice } : null) };
  });
  return { kind: 'silenced', silence, zone: 'for' in lasts ? null : zone, skipped, unknown };
}

async function endSilence(number: number, { settings, asker }: SettingPorts): Promise<View> {
  const ended = await settings.alerts.unsilence(number, asker);
  return ended === null
    ? problemView({ kind: 'no-such-number', what: 'silence', number })
    : { kind: 'sounding', silence: ended };
}
