/** `silence`: holds alerts for a while instead of posting them, in every channel. */
import { HOUR } from '../clock.ts';
import type { View } from '../views/model.ts';
import { parseSilence, type SilenceInput, silenceInput, type Wanted } from './alerting/silence-input.ts';
import { endOf } from './alerting/silence-time.ts';
import { deviceNamed, groupNamed } from './alerting/subscribe-meant.ts';
import type { SettingPorts } from './command.ts';
import { defineSetting } from './define.ts';
import { silenceForm } from './forms/silence-form.ts';
import { problemView } from './line/faults.ts';

/** Where no time was named. */
const USUAL = { for: 2 * HOUR } as const;

export const silence = defineSetting<SilenceInput>({
  name: 'silence',
  usage: 'silence EVENTS|group:NAME|device:NAME [for 2h|until 18:00] [because REASON] | off N',
  summary: 'Hold alerts for a while instead of posting them. You get a count at the end.',
  examples: [
    'silence patch-failed group:"Linux servers" for 2h because maintenance',
    'silence device:web-01 until 18:00',
    'silence off 3',
  ],
  input: silenceInput,
  form: silenceForm,
  need: 'propose',
  parse: parseSilence,
  run: (asked, _page, ports) => ('off' in asked ? end(asked.off, ports) : begin(asked, ports)),
});

async function begin(asked: Wanted, ports: SettingPorts): Promise<View> {
  const { settings, clock, asker } = ports;
  const again = (key: 'group' | 'device') => (value: number | string) => ({
    command: 'silence',
    input: { ...asked, [key]: value },
  });
  const group = await groupNamed(asked.group, again('group'), ports);
  if (group.kind === 'view') return group.view;
  const device = await deviceNamed(asked.device, again('device'), ports);
  if (device.kind === 'view') return device.view;
  const zone = await settings.people.timezone(asker);
  const lasts = asked.lasts ?? USUAL;
  const result = await settings.alerts.silence({
    scope: { kinds: asked.events, group: group.value, device: device.value, patch: asked.package },
    reason: asked.reason,
    createdBy: asker,
    until: endOf(lasts, clock.now(), zone),
  });
  if (result.kind === 'full') {
    const { most, own } = result;
    return problemView({ kind: 'too-many-silences', most, own });
  }
  return { kind: 'silenced', silence: result.silence, zone: 'for' in lasts ? null : zone };
}

async function end(number: number, { settings, asker }: SettingPorts): Promise<View> {
  const ended = await settings.alerts.unsilence(number, asker);
  return ended === null
    ? problemView({ kind: 'no-such-number', what: 'silence', number })
    : { kind: 'sounding', silence: ended };
}
