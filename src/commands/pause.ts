/** `pause`: stops all changes until an admin resumes them. */

import { z } from 'zod';
import { later, SECOND } from '../lib/clock.ts';
import { pauseId } from '../lib/ids.ts';
import type { View } from '../views/views.ts';
import type { CommandForm, SettingPorts, TypedInput } from './core/command.ts';
import { defineSettingCommand } from './core/define-command.ts';
import { enteredReason, reasonField } from './forms/subject-forms.ts';
import type { LineWords } from './parser/tokenizer.ts';
import { unexpectedWord, unknownWordFault } from './parser/usage-errors.ts';

const WARNING =
  'No changes are sent, not even approved ones, until an admin resumes them. The approvals channel is notified.';

const pauseForm: CommandForm = {
  open: async () => {
    const fields = [
      { kind: 'words', text: WARNING } as const,
      reasonField(null, 'Shown to everyone whose request is refused.'),
    ];
    const form = { command: 'pause', title: 'Pause all changes', submit: 'Pause', fields, context: null };
    return { kind: 'form', form };
  },
  read: (values) => ({ kind: 'input', input: { do: 'on', reason: enteredReason(values) } }),
};

const input = z.discriminatedUnion('do', [
  /** Asked whether to: it stops much at once, and is typed by mistake more easily than pressed. */
  z.object({ do: z.literal('ask') }),
  z.object({ do: z.literal('on'), reason: z.string().nullable() }),
  /** `pause`: only that one, as it stands on the button of its card. */
  z.object({ do: z.literal('off'), pause: z.string().optional() }),
]);
type Input = z.infer<typeof input>;

export const pauseCommand = defineSettingCommand<Input>({
  name: 'pause',
  usage: 'pause [because REASON] | off',
  summary: 'Pause all changes for everyone, or resume them. Admins only.',
  examples: ['pause because the data center moves', 'pause off'],
  permission: 'configure',
  byOnePress: ({ do: what }) => what !== 'off',
  input,
  form: pauseForm,
  parse,
  run: runPause,
});

function parse(words: LineWords): TypedInput<Input> {
  const [first, second] = words.free;
  const off = first?.toLowerCase() === 'off';
  const unused = off ? second : first;
  if (unused !== undefined)
    return { kind: 'fault', fault: unknownWordFault(unused, off ? [] : ['off', 'because']) };
  const fault = unexpectedWord(words, { reason: !off });
  if (fault !== null) return { kind: 'fault', fault };
  if (off) return { kind: 'input', input: { do: 'off' } };
  const { reason } = words;
  return { kind: 'input', input: reason === null ? { do: 'ask' } : { do: 'on', reason } };
}

/** Slack says when a command was sent in whole seconds. */
const SENT_WITHIN_MS = SECOND;

async function runPause(
  order: Input,
  _page: number,
  { settings, asker, clock, askedAt = clock.now() }: SettingPorts,
): Promise<View> {
  if (order.do === 'ask') {
    const current = await settings.pause.current();
    return current === null
      ? { kind: 'pause', what: 'ask' }
      : { kind: 'pause', what: 'already', pause: current };
  }
  if (order.do === 'on') {
    const { kind: what, pause: current } = await settings.pause.begin(asker, order.reason);
    return { kind: 'pause', what, pause: current };
  }
  const id = order.pause;
  // A line that was sent earlier, or again, does not end a pause that its sender did not know.
  const which = id === undefined ? { begunBy: later(askedAt, SENT_WITHIN_MS) } : { id: pauseId(id) };
  const ended = await settings.pause.end(asker, which);
  if (ended !== null) return { kind: 'pause', what: 'ended', pause: ended };
  const newer = id === undefined ? await settings.pause.current() : null;
  return newer === null ? { kind: 'pause', what: 'none' } : { kind: 'pause', what: 'newer', pause: newer };
}
