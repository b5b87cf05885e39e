/** Writes and reads the JSON value of buttons. */

import { z } from 'zod';
import { instant } from '../../lib/clock.ts';
import { deviceId, requestId } from '../../lib/ids.ts';
import { tryParseJson } from '../../lib/json.ts';
import type { ButtonValue } from '../models/rendered-model.ts';
import { LIMIT } from './limits.ts';

const schema = z.discriminatedUnion('do', [
  z.object({
    do: z.literal('decide'),
    approval: z.string().min(1).transform(requestId),
    seal: z.string(),
  }),
  z.object({
    do: z.literal('control'),
    request: z.string().min(1).transform(requestId),
    control: z.enum(['pause', 'resume', 'continue', 'continue-without', 'stop', 'close']),
    hold: z.int().transform(instant).exactOptional(),
  }),
  z.object({
    do: z.literal('run'),
    command: z.string().min(1),
    input: z.unknown(),
    page: z.int().nonnegative().exactOptional(),
  }),
  z.object({ do: z.literal('several'), page: z.int().nonnegative() }),
  z.object({ do: z.literal('form'), command: z.string().min(1), input: z.unknown() }),
  z.object({
    do: z.literal('device'),
    device: z.int().positive().transform(deviceId),
    page: z.string().min(1).exactOptional(),
  }),
]);

/** The value as JSON; null where it is longer than Slack allows. */
export function writeButtonValue(value: ButtonValue): string | null {
  // Input may contain text that looks like a mention, so `<` is escaped.
  const text = JSON.stringify(value).replaceAll('<', '\\u003c');
  return text.length > LIMIT.buttonValue ? null : text;
}

/** The value of a pressed button; null where it is not one that we wrote. */
export function readButtonValue(text: string): ButtonValue | null {
  return schema.safeParse(tryParseJson(text)).data ?? null;
}

/** The block id of a sort menu: the list that it sorts. Null where it is too long for a button value. */
export function writeSortBlockId(list: { readonly command: string; readonly input: object }): string | null {
  return writeButtonValue({ do: 'run', ...list });
}

/** The list from the block id with the chosen order; null where it is not one that we wrote. */
export function readSortBlockId(block: string, chosen: string): ButtonValue | null {
  const list = readButtonValue(block);
  if (list?.do !== 'run' || typeof list.input !== 'object' || list.input === null) return null;
  return { ...list, input: { ...list.input, sort: tryParseJson(chosen) ?? null } };
}
