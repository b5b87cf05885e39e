/**
 * The form of a button that changes something. It says all that the button would do in words of ours, because whoever has
 * the bot token can put any button beside any words. Only its submission runs the command.
 */
import { z } from 'zod';
import { displayName } from '../../fleet/model/resources.ts';
import { deviceId } from '../../lib/ids.ts';
import { packedIds, unpackIds } from '../../lib/packed-ids.ts';
import { quoteValue } from '../../lib/structure.ts';
import { onOneLine, upperFirst } from '../../lib/text.ts';
import { durationSchema } from '../alerting/silence-input.ts';
import type { Command } from '../core/command.ts';
import { rolloutOptions, rolloutOptionsText } from '../parser/rollout-options.ts';
import { deviceFilter } from '../targets/device-filters.ts';
import { deviceQueryText } from '../targets/device-query.ts';
import { PERSON_PRIORITY } from '../targets/resolve-device.ts';
import type { CommandForm, FormPorts } from './shared/command-form.ts';
import { deviceOption, enteredReason, reasonField } from './shared/device-form.ts';
import { groupOption } from './shared/group-or-policy-form.ts';
import { policySearchField } from './shared/policy-field.ts';
import { durationLabel } from './silence-form.ts';

const inputSchema = z.record(z.string(), z.unknown());
type Input = z.infer<typeof inputSchema>;
const carried = z.object({ input: inputSchema });

/** The command's own form, or that of a pressed button; null where it has none. */
export function formOf(
  command: Command,
  { pressed }: { readonly pressed?: true | undefined },
): CommandForm | null {
  return pressed === true ? pressedForm(command) : (command.form ?? null);
}

function pressedForm(command: Command): CommandForm {
  return {
    async open(given, ports) {
      const input = inputSchema.parse(given);
      const { title, submit, meaning } = wordsFor(command, input);
      const facts = await Promise.all(Object.entries(input).map((part) => factLine(part, ports)));
      const text = [...facts.filter((line) => line !== null), meaning].join('\n');
      const hint = command.kind === 'write' ? 'Approvers see it with the request.' : 'Shown in the list.';
      const reason = z.string().nullable().catch(null).parse(input['reason']);
      const fields = [
        { kind: 'words', text } as const,
        ...('reason' in input ? [reasonField(reason, hint)] : []),
      ];
      return { kind: 'form', form: { command: command.name, title, submit, fields, context: { input } } };
    },
    read(values, context) {
      const { input } = carried.parse(context);
      const reason = 'reason' in input ? { reason: enteredReason(values) } : {};
      return { kind: 'input', input: { ...input, ...reason } };
    },
  };
}

type Words = { readonly title: string; readonly submit: string; readonly meaning: string };

function wordsFor({ name, kind, summary }: Command, input: Input): Words {
  const ends = 'off' in input || input['do'] === 'off' || input['do'] === 'remove';
  if (name === 'pause')
    return {
      title: 'Resume changes',
      submit: 'Resume changes',
      meaning:
        'New requests are accepted again. Requests that the pause stopped don’t run automatically. Only this pause ends, not a later one.',
    };
  if (name === 'silence' && ends)
    return {
      title: 'End a silence',
      submit: 'End silence',
      meaning: 'It ends now. Each channel with held alerts gets a count.',
    };
  if (name === 'accept-removals')
    return {
      title: 'Accept the removal',
      submit: 'Accept removal',
      meaning:
        'Patchbay forgets what the lists lack. Devices that still exist return once they are listed again.',
    };
  if (name === 'unsubscribe')
    return {
      title: 'End a subscription',
      submit: 'Unsubscribe',
      meaning: 'Its alerts are no longer posted there.',
    };
  const title = upperFirst(name.replaceAll('-', ' '));
  if (ends)
    return { title: `${title}: remove`, submit: 'Remove', meaning: 'The name stands for nothing then.' };
  if (kind !== 'write') return { title, submit: title, meaning: summary };
  const meaning = `${summary} Nothing is requested before you press Request. What was sent can’t be canceled.`;
  return { title, submit: 'Request', meaning };
}

const LABELS: Readonly<Record<string, string>> = {
  ids: 'Devices',
  filters: 'Devices',
  rollout: 'Options',
  lasts: 'Duration',
  number: 'Subscription',
  off: 'Silence',
  missing: 'Missing from the lists',
  events: 'Alerts',
  shared: 'For everyone',
};
/** Said by the words above, or in a field of its own. */
const NOT_LISTED: ReadonlySet<string> = new Set(['do', 'pause', 'reason']);

/** Null for what says nothing. */
async function factLine([key, value]: [string, unknown], ports: FormPorts): Promise<string | null> {
  if (NOT_LISTED.has(key) || value === null || value === undefined) return null;
  const label = LABELS[key] ?? upperFirst(key);
  return `${label}: ${onOneLine(await factText(key, value, ports))}`;
}

async function factText(key: string, value: unknown, ports: FormPorts): Promise<string> {
  switch (key) {
    case 'device':
    case 'group':
    case 'policy':
      return typeof value === 'number' ? named(key, value, ports) : plain(value);
    case 'packages':
      return Array.isArray(value) && value.length === 0 ? 'all missing patches' : plain(value);
    case 'events':
      return Array.isArray(value) && value.length === 0 ? 'all' : plain(value);
    case 'ids':
      return devicesIn(packedIds.parse(value), ports);
    case 'filters':
      return deviceQueryText({ words: [], filters: z.array(deviceFilter).parse(value) });
    case 'rollout':
      return rolloutOptionsText(rolloutOptions.parse(value));
    case 'number':
    case 'off':
      return `#${plain(value)}`;
    case 'lasts':
      return durationLabel(durationSchema.parse(value));
    default:
      return plain(value);
  }
}

const OPTION_OF = {
  device: deviceOption,
  group: groupOption,
  policy: async (id: number, ports: FormPorts) => (await policySearchField(id, ports)).initial,
} as const;

async function named(kind: keyof typeof OPTION_OF, id: number, ports: FormPorts): Promise<string> {
  const option = await OPTION_OF[kind](id, ports);
  return option === null ? `#${id}` : `${quoteValue(option.label)} (#${id})`;
}

const MAX_NAMES = 20;

async function devicesIn(packed: string, { inventory }: FormPorts): Promise<string> {
  const ids = unpackIds(packed) ?? [];
  const { device } = await inventory.snapshot(PERSON_PRIORITY);
  const names = ids.slice(0, MAX_NAMES).map((id) => {
    const found = device(deviceId(id));
    return found === null ? `#${id}` : `${quoteValue(displayName(found))} (#${id})`;
  });
  return `${names.join(', ')}${ids.length > MAX_NAMES ? ` and ${ids.length - MAX_NAMES} more` : ''}`;
}

/** Values of the input as they are, so that nothing of them is left unsaid. */
function plain(value: unknown): string {
  if (Array.isArray(value)) return value.map(plain).join(', ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return quoteValue(typeof value === 'string' ? value : JSON.stringify(value));
}
