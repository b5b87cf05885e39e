/** `pause`: stops all changes until an admin resumes them. */
import { z } from 'zod';
import { pauseId } from '../ids.ts';
import type { View } from '../views/model.ts';
import type { SettingPorts } from './command.ts';
import { defineSetting, type Typed } from './define.ts';
import { pauseForm } from './forms/pause-form.ts';
import { extraWord, unknownWord } from './line/faults.ts';
import type { Words } from './line/grammar.ts';

const input = z.discriminatedUnion('do', [
  /** Asked whether to: it stops much at once, and is typed by mistake more easily than pressed. */
  z.object({ do: z.literal('ask') }),
  z.object({ do: z.literal('on'), reason: z.string().nullable() }),
  /** `pause`: only that one, as it stands on the button of its card. */
  z.object({ do: z.literal('off'), pause: z.string().optional() }),
]);
type Input = z.infer<typeof input>;

export const pause = defineSetting<Input>({
  name: 'pause',
  usage: 'pause [because REASON] | off',
  summary: 'Pause all changes for everyone, or resume them. Admins only.',
  examples: ['pause because the data center moves', 'pause off'],
  need: 'configure',
  input,
  form: pauseForm,
  parse,
  run,
});

function parse(words: Words): Typed<Input> {
  const [first, second] = words.free;
  const off = first?.toLowerCase() === 'off';
  const unused = off ? second : first;
  if (unused !== undefined)
    return { kind: 'fault', fault: unknownWord(unused, off ? [] : ['off', 'because']) };
  const fault = extraWord(words, { reason: !off });
  if (fault !== null) return { kind: 'fault', fault };
  if (off) return { kind: 'input', input: { do: 'off' } };
  const { reason } = words;
  return { kind: 'input', input: reason === null ? { do: 'ask' } : { do: 'on', reason } };
}

async function run(order: Input, _page: number, { settings, asker }: SettingPorts): Promise<View> {
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
  const ended = await (id === undefined ? settings.pause.end(asker) : settings.pause.end(asker, pauseId(id)));
  return ended === null ? { kind: 'pause', what: 'none' } : { kind: 'pause', what: 'ended', pause: ended };
}
