/** `subscriptions`: which alerts go where, and which silences are active. */
import { z } from 'zod';
import type { ChannelId } from '../ids.ts';
import type { View } from '../views/model.ts';
import type { SettingPorts } from './command.ts';
import { defineSetting, type Typed } from './define.ts';
import { extraWord, unknownWord } from './line/faults.ts';
import type { Words } from './line/grammar.ts';
import { slice } from './lists/paging.ts';
import { lookOnly } from './look-only.ts';

const input = z.object({ all: z.boolean() });
type Input = z.infer<typeof input>;

const PAGE_SIZE = 10;

export const subscriptions = defineSetting<Input>({
  name: 'subscriptions',
  usage: 'subscriptions [all]',
  summary: 'List alert subscriptions in this channel, or in all channels, and active silences.',
  examples: ['subscriptions', 'subscriptions all'],
  input,
  need: 'read',
  parse,
  run: ({ all }, page, ports) => listSubscriptions(all ? null : ports.channel, page, ports),
});

function parse(words: Words): Typed<Input> {
  const extra = extraWord(words, {});
  if (extra !== null) return { kind: 'fault', fault: extra };
  const [first, second] = words.free;
  const all = first?.toLowerCase() === 'all';
  const unused = all ? second : first;
  if (unused !== undefined) return { kind: 'fault', fault: unknownWord(unused, all ? [] : ['all']) };
  return { kind: 'input', input: { all } };
}

/** Of one channel, or of all (null). Silences hold in every channel. */
export async function listSubscriptions(
  channel: ChannelId | null,
  page: number,
  { settings: { alerts }, clock, asker, refusal }: SettingPorts,
): Promise<View> {
  const asOf = clock.now();
  const [open, silences] = await Promise.all([alerts.subscriptions(), alerts.silences()]);
  const isHere = (one: { readonly channel: ChannelId }) => channel === null || one.channel === channel;
  // What others have sent to themselves is theirs.
  const rows = open.filter(isHere).filter(({ person }) => person === null || person === asker);
  const shown = slice(rows, page, PAGE_SIZE);
  return {
    kind: 'subscriptions',
    channel,
    fixed: alerts.fixed.filter(isHere),
    rows: shown.rows,
    silences: silences.filter(({ until }) => until > asOf),
    // Silences and what comes to channels are for those to end who may ask for changes.
    ...(await lookOnly({ refusal })),
    paging: {
      command: 'subscriptions',
      input: { all: channel === null },
      page: shown.page,
      pages: shown.pages,
      total: rows.length,
      asOf,
    },
  };
}
