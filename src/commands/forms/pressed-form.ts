/**
 * The form of a button that changes something. It says all that the button would do in words of ours, because whoever has
 * the bot token can put any button beside any words. Only its submission runs the command.
 */
import { z } from 'zod';
import { displayName } from '../../fleet/model/resources.ts';
import { deviceId, packedIds, unpackIds } from '../../lib/ids.ts';
import { onOneLine, quoteValue, upperFirst } from '../../lib/text.ts';
import type { Command, CommandForm, FormPorts, OpenedForm } from '../core/command.ts';
import { rolloutOptions, rolloutOptionsText } from '../parser/rollout-options.ts';
import { usageProblem } from '../parser/usage-errors.ts';
import { durationLabel, durationSchema } from '../silence.ts';
import { deviceFilter, deviceQueryText } from '../targets/device-query.ts';
import { PERSON_PRIORITY } from '../targets/resolve-device.ts';
import {
  changeReasonField,
  deviceOption,
  enteredReason,
  groupOption,
  policySearchField,
  reasonField,
} from './subject-forms.ts';

const inputSchema = z.record(z.string(), z.unknown());
type Input = z.infer<typeof inputSchema>;
const carried = z.object({ input: inputSchema });
type ChangingCommand = Exclude<Command, { kind: 'read' }>;

/** The command's own form, or that of a pressed button; null where it has none. */
export function formOf(
  command: Command,
  { pressed }: { readonly pressed?: true | undefined },
): CommandForm | null {
  return pressed === true && command.kind !== 'read' ? pressedForm(command) : (command.form ?? null);
}

function pressedForm(command: ChangingCommand): CommandForm {
  return {
    async open(given, ports) {
      // What the command would not take is neither shown nor passed on.
      const input = inputSchema.safeParse(command.inputOf(given)).data ?? null;
      const [title, submit, ...meaning] = wordsFor(command, input ?? {});
      const lines = input === null ? null : await linesFor(command, input, { meaning, ports });
      if (input === null || lines === null) return command.form?.open(given, ports) ?? outdated(command);
      const fields = [
        { kind: 'words', text: lines.join('\n') } as const,
        ...('reason' in input ? [await pressedReason(command, input, ports)] : []),
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

async function pressedReason(
  { kind, name: command }: ChangingCommand,
  { reason: typed, ids }: Input,
  ports: FormPorts,
) {
  const reason = z.string().nullable().catch(null).parse(typed);
  if (kind === 'setting') return reasonField(reason, 'Shown in the list.');
  const devices = unpackIds(packedIds.catch('').parse(ids))?.length ?? 1;
  return changeReasonField(reason, { command, devices }, ports);
}

function outdated({ name, usage }: ChangingCommand): OpenedForm {
  const fault = { kind: 'bad-value', word: 'this button', expected: 'a button that says less' } as const;
  return { kind: 'problem', problem: usageProblem({ name, usage }, fault) };
}

/** Of a text between fields, per line and in all (`src/views/forms/form-window.ts`). */
const [LINE, TEXT] = [300, 3_000];
const TARGETS = ['device', 'filters', 'ids'];

/** Null where something of it would be cut, or only one of several targets would count. */
async function linesFor(
  command: ChangingCommand,
  input: Input,
  { meaning, ports }: { readonly meaning: readonly string[]; readonly ports: FormPorts },
): Promise<readonly string[] | null> {
  const facts = await Promise.all(Object.entries(input).map((part) => factLine(command, part, input, ports)));
  const lines = [...facts.filter((line) => line !== null), ...meaning];
  const isCut = lines.some((line) => line.length > LINE) || lines.join('\n').length > TEXT;
  return isCut || TARGETS.filter((target) => target in input).length > 1 ? null : lines;
}

type Words = readonly [title: string, submit: string, ...meaning: readonly string[]];

const ENDED: Readonly<Record<string, Words>> = {
  pause: [
    'Resume changes',
    'Resume changes',
    'New requests are accepted again. Requests that the pause stopped don’t run automatically.',
  ],
  silence: ['End a silence', 'End silence', 'It ends now. Each channel with held alerts gets a count.'],
  unsubscribe: ['End subscriptions', 'Unsubscribe', 'Their alerts are no longer posted there.'],
  'accept-removals': [
    'Accept the removal',
    'Accept removal',
    'Patchbay forgets what the lists lack. Devices that still exist return once they are listed again.',
  ],
  alias: ['Remove an alias', 'Remove'],
  save: ['Remove a saved target', 'Remove'],
};

function wordsFor({ name, kind, summary }: ChangingCommand, input: Input): Words {
  const isEnd = !['silence', 'alias', 'save'].includes(name) || 'off' in input || input['do'] === 'remove';
  const ended = isEnd ? ENDED[name] : undefined;
  if (ended !== undefined) return ended;
  const title = upperFirst(name.replaceAll('-', ' '));
  const [meaning = summary] = /^[^.]*\./.exec(summary) ?? [];
  if (kind === 'setting') return [title, title, meaning];
  const sent = 'Nothing is requested before you press Request. What was sent can’t be canceled.';
  return [title, 'Request', meaning, sent];
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
/** Said by the words, or in a field of its own. */
const NOT_LISTED: ReadonlySet<string> = new Set(['do', 'pause', 'reason']);

/** Null for what is said elsewhere. */
async function factLine(
  { name }: ChangingCommand,
  [key, value]: [string, unknown],
  input: Input,
  ports: FormPorts,
): Promise<string | null> {
  if (NOT_LISTED.has(key) || value === undefined || (key === 'severities' && isNone(value))) return null;
  const label = LABELS[key] ?? upperFirst(key);
  if (value === null && key !== 'lasts') return `${label}: ${name === 'silence' ? 'any' : 'none'}`;
  return `${label}: ${onOneLine(await factText(key, value, input, ports))}`;
}

async function factText(key: string, value: unknown, input: Input, ports: FormPorts): Promise<string> {
  switch (key) {
    case 'device':
    case 'group':
    case 'policy':
      return typeof value === 'number' ? named(key, value, ports) : plain(value);
    case 'packages':
      return isNone(value) ? packagesText(input) : plain(value);
    case 'events':
      return isNone(value) ? 'all' : plain(value);
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
      return durationLabel(durationSchema.nullable().parse(value));
    default:
      return plain(value);
  }
}

const isNone = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** In parentheses, which no name of a package keeps. */
function packagesText({ severities, filters }: Input): string {
  const isChosen = (severities !== undefined && !isNone(severities)) || filters !== undefined;
  return isChosen ? '(what the rest says)' : '(all missing patches)';
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

const MAX_NAMES = 8;

async function devicesIn(packed: string, { inventory }: FormPorts): Promise<string> {
  const ids = unpackIds(packed) ?? [];
  const { device } = await inventory.snapshot(PERSON_PRIORITY);
  const names = ids.slice(0, MAX_NAMES).map((id) => {
    const found = device(deviceId(id));
    return found === null ? `#${id}` : `${quoteValue(displayName(found))} (#${id})`;
  });
  const more = ids.length > MAX_NAMES ? ` and ${ids.length - MAX_NAMES} more` : '';
  return `${ids.length}: ${names.join(', ')}${more}`;
}

/** Values as they are, so that nothing of them is left unsaid. */
function plain(value: unknown): string {
  if (Array.isArray(value)) return isNone(value) ? 'none' : value.map(plain).join(', ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return quoteValue(typeof value === 'string' ? value : JSON.stringify(value));
}
