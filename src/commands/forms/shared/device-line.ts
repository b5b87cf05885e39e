/** The field for devices as they are typed: names, ids or filters, with what it matches now. */
import { z } from 'zod';
import type { FormField } from '../../../views/models/form-model.ts';
import type { TypedInput } from '../../core/define-command.ts';
import { expandSaved, usesSavedTarget } from '../../parser/saved-targets.ts';
import type { LineWords } from '../../parser/tokenizer.ts';
import { usageFault } from '../../parser/usage-errors.ts';
import { parseTargetLine, type TargetLine, targetFields } from '../../targets/target-line.ts';
import type { FormPorts } from './command-form.ts';
import { usageFaultText } from './field-values.ts';
import { matchingDevices } from './matching-devices.ts';
import { lineWords } from './rollout-options-field.ts';

export const LINE_FIELD = 'filters';

/** A text field holds 3,000 characters (Slack). */
const MOST = 2_900;

export function lineField(initial: string, label: string): FormField {
  const hint =
    'Names or #IDs separated by commas, or filters such as group:"Linux servers" is:online. Press Enter to see the matches.';
  return { kind: 'text', id: LINE_FIELD, label, hint, initial, most: MOST, optional: true, live: true };
}

/** Which devices a line means, and the options in it. */
export type DeviceLine = Pick<TargetLine, 'target' | 'rollout'>;

/** Longer than a typed line may be: the devices of a retry. */
const IDS = /^#\d{1,15}(?: ?, ?#\d{1,15})*$/;

/** What saved targets in the line stood for when the window was drawn: a form is read without asking anybody. */
const expandedLine = z.object({
  line: z.string(),
  filters: targetFields.filters,
  rollout: targetFields.rollout,
});
/** The metadata of a window holds 3,000 characters (Slack), and the form's own. */
const MAX_CONTEXT = 2_000;

/** `context`: what {@link drawLine} left for this. */
export function readLine(line: string, context: unknown): TypedInput<DeviceLine> {
  if (IDS.test(line)) return { kind: 'input', input: { target: { device: line } } };
  const words = lineWords(line);
  if (words.kind === 'fault') return words;
  if (!usesSavedTarget(words.input)) return readWords(words.input);
  const drawn = expandedLine.safeParse(context);
  if (!drawn.success || drawn.data.line !== line)
    return usageFault({ kind: 'missing', what: 'Press Enter in this field to look up the saved target.' });
  const { filters, rollout } = drawn.data;
  const target = filters === undefined ? {} : { filters };
  return { kind: 'input', input: { target, ...(rollout === undefined ? {} : { rollout }) } };
}

function readWords(words: LineWords): TypedInput<DeviceLine> {
  if (words.reason !== null)
    return usageFault({ kind: 'bad-value', word: 'because', expected: 'the reason in its own field' });
  return parseTargetLine(words);
}

/** What the line matches now: how many devices, and some of them. `context`: for {@link readLine}. */
export async function drawLine(
  line: string,
  ports: FormPorts,
): Promise<{ readonly text: string; readonly devices?: number; readonly context: unknown }> {
  if (IDS.test(line)) return { text: LOOKED_UP_LATER, context: null };
  const words = lineWords(line);
  if (words.kind === 'fault') return { text: usageFaultText(words.fault), context: null };
  const read = await readExpanded(words.input, ports);
  if (read.kind === 'fault') return { text: usageFaultText(read.fault), context: null };
  const { target, rollout } = read.input;
  if (target.filters === undefined) return { text: LOOKED_UP_LATER, context: null };
  const { text, devices } = await matchingDevices(target.filters, ports);
  if (!usesSavedTarget(words.input)) return { text, devices, context: null };
  const context = { line, filters: target.filters, ...(rollout === undefined ? {} : { rollout }) };
  if (JSON.stringify(context).length <= MAX_CONTEXT) return { text, devices, context };
  return { text: `${text}\nA saved target of this length has to be typed as a command.`, context: null };
}

const LOOKED_UP_LATER = 'Each name is looked up when you send the form.';

async function readExpanded(
  words: LineWords,
  { settings, asker }: FormPorts,
): Promise<TypedInput<DeviceLine>> {
  const full = await expandSaved(words, { saved: settings.saved, person: asker }, 'filters');
  return full.kind === 'fault' ? usageFault(full.fault) : readWords(full.words);
}
