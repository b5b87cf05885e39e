/** `subscriptions`: which alerts go where, and which silences are active. */
import { z } from 'zod';
import type { ChannelId } from '../lib/ids.ts';
import type { View } from '../views/model.ts';
import type { SettingPorts } from './core/command.ts';
import { defineSettingCommand, type TypedInput } from './core/define-command.ts';
import { readOnlyNotice } from './core/required-permission.ts';
import { listPage } from './lists/paging.ts';
import type { LineWords } from './parser/tokenizer.ts';
import { unexpectedWord, unknownWordFault } from './parser/usage-errors.ts';

const input = z.object({ all: z.boolean() });
type Input = z.infer<typeof input>;

const PAGE_SIZE = 10;

export const subscriptionsCommand = defineSettingCommand<Input>({
  name: 'subscriptions',
  usage: 'subscriptions [all]',
  summary: 'List alert subscriptions in this channel, or in all channels, and active silences.',
  examples: ['subscriptions', 'subscriptions all'],
  input,
  permission: 'read',
  byOnePress: () => true,
  parse,
  run: ({ all }, page, ports) => listSubscriptions(all ? null : ports.channel, page, ports),
});

function parse(words: LineWords): TypedInput<Input> {
  const extra = unexpectedWord(words, {});
  if (extra !== null) return { kind: 'fault', fault: extra };
  const [first, second] = words.free;
  const all = first?.toLowerCase() === 'all';
  const unused = all ? second : first;
  if (unused !== undefined) return { kind: 'fault', fault: unknownWordFault(unused, all ? [] : ['all']) };
  return { kind: 'input', input: { all } };
}

/** Subscriptions of one channel, or of all (null). Silences apply in every channel. */
async function listSubscriptions(
  channel: ChannelId | null,
  page: number,
  { settings: { alerts }, clock, asker, refusal }: SettingPorts,
): Promise<View> {
  const asOf = clock.now();
  const [open, silences] = await Promise.all([alerts.subscriptions(), alerts.silences()]);
  const isHere = (one: { readonly channel: ChannelId }) => channel === null || one.channel === channel;
  // Personal subscriptions of others are not shown.
  const rows = open.filter(isHere).filter(({ person }) => person === null || person === asker);
  const pageSlice = listPage(rows, page, PAGE_SIZE);
  return {
    kind: 'subscriptions',
    channel,
    fixed: alerts.fixed.filter(isHere),
    rows: pageSlice.rows,
    silences: silences.filter(({ until }) => until > asOf),
    // Only people who may request changes can end silences and channel subscriptions.
    ...(await readOnlyNotice({ refusal })),
    paging: {
      command: 'subscriptions',
      input: { all: channel === null },
      page: pageSlice.page,
      pages: pageSlice.pages,
      total: rows.length,
      asOf,
    },
  };
}
