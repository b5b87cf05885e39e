/** `acknowledge`: shows on an alert's card who is handling it. */
import { z } from 'zod';
import { kindWords } from '../fleet/model/event-kinds.ts';
import { eventId } from '../lib/ids.ts';
import { quoteStructure } from '../lib/text.ts';
import type { ShownAlert } from '../store/port/alert-records.ts';
import type { FormOption } from '../views/models/form-model.ts';
import type { View } from '../views/views.ts';
import type { CommandForm, SettingPorts, TypedInput } from './core/command.ts';
import { defineSettingCommand } from './core/define-command.ts';
import { fieldError, idValue } from './core/field-values.ts';
import type { LineWords } from './parser/tokenizer.ts';
import { problemView, unexpectedWord, unknownWordFault, usageProblem } from './parser/usage-errors.ts';
import { numberOf } from './targets/name-lookup.ts';

const ALERT = 'alert';
const MAX_OPTIONS = 100;
const HEAD = { name: 'acknowledge', usage: 'acknowledge ALERT' };

const acknowledgeForm: CommandForm = {
  async open(_typed, { settings }) {
    const { rows } = await settings.alerts.list({ state: 'open' }, { limit: MAX_OPTIONS, skip: 0 });
    const options = rows.filter(({ acknowledgedBy }) => acknowledgedBy === null).map(optionOf);
    if (options.length === 0) {
      const what = 'No open alerts that nobody has acknowledged.';
      return { kind: 'problem', problem: usageProblem(HEAD, { kind: 'missing', what }) };
    }
    const field = { kind: 'choice', id: ALERT, label: 'Alert', options, initial: null } as const;
    const form = { command: 'acknowledge', title: 'Acknowledge an alert', submit: 'Acknowledge' };
    return { kind: 'form', form: { ...form, fields: [field], context: null } };
  },
  read(values) {
    const alert = idValue(values, ALERT);
    return alert === null ? fieldError(ALERT, 'Choose an alert.') : { kind: 'input', input: { alert } };
  },
};

function optionOf({ number, kind, devices, shown: [first], packages }: ShownAlert): FormOption {
  const { title } = kindWords(kind);
  const { deviceId = null, deviceName = null } = first ?? {};
  const name = deviceName ?? (deviceId === null ? null : `#${deviceId}`);
  const of = devices < 2 ? name : `${devices} devices`;
  const names = packages.map(({ name, displayName }) => displayName ?? name);
  const label = of === null ? title : `${title}: ${quoteStructure(of)}`;
  return { value: String(number), label, detail: [`alert ${number}`, ...names.slice(0, 3)] };
}

const input = z.object({ alert: z.int().positive() });
type Input = z.infer<typeof input>;

export const acknowledgeCommand = defineSettingCommand<Input>({
  name: 'acknowledge',
  usage: 'acknowledge ALERT',
  summary: 'Acknowledge an alert: its card shows that you are handling it.',
  examples: ['acknowledge 70001'],
  input,
  permission: 'propose',
  byOnePress: () => true,
  form: acknowledgeForm,
  parse,
  run: ({ alert }, _page, ports) => acknowledgeAlert(alert, ports),
});

function parse(words: LineWords): TypedInput<Input> {
  const extra = unexpectedWord(words, {});
  if (extra !== null) return { kind: 'fault', fault: extra };
  // As lists write it: `alert 70001`.
  const [first, second] = words.free.filter((word) => word.toLowerCase() !== 'alert');
  if (first === undefined) return { kind: 'fault', fault: { kind: 'missing', what: 'Which alert?' } };
  if (second !== undefined) return { kind: 'fault', fault: unknownWordFault(second, []) };
  const alert = numberOf(first);
  if (alert !== null) return { kind: 'input', input: { alert } };
  const expected = 'an alert number from the list of alerts, such as 70001';
  return { kind: 'fault', fault: { kind: 'bad-value', word: first, expected } };
}

async function acknowledgeAlert(number: number, { settings, asker }: SettingPorts): Promise<View> {
  const acknowledged = await settings.alerts.acknowledge(eventId(number), asker);
  if (acknowledged.kind === 'absent') return problemView({ kind: 'no-such-number', what: 'alert', number });
  return { kind: 'acknowledged', outcome: acknowledged.kind, alert: acknowledged.alert };
}
