/** `devices`: the fleet by words and filters, a page at a time. */
import { z } from 'zod';
import { groupNameIn } from '../inventory/directory.ts';
import type { IndexedDevice } from '../inventory/inventory.ts';
import type { View } from '../views/model.ts';
import type { ReadPorts } from './command.ts';
import { defineRead, type Typed } from './define.ts';
import {
  CONDITION_NAMES,
  type DeviceFilter,
  deviceFilter,
  filterText,
  readFilter,
} from './device-filters.ts';
import { select, type UnknownValue } from './device-select.ts';
import { extraWord, problemView, usageProblem } from './faults.ts';
import type { Words } from './grammar.ts';
import { slice } from './paging.ts';
import { PERSON } from './resolve.ts';

const input = z.object({
  words: z.array(z.string()),
  filters: z.array(deviceFilter),
  /** Of the button that reads the fleet anew. */
  refresh: z.literal(true).optional(),
});
type Input = z.infer<typeof input>;

const PAGE_SIZE = 10;
const USAGE = `devices [words] [group:NAME] [os:NAME] [tag:NAME] [is:${CONDITION_NAMES.join('|')}]`;

export const devices = defineRead<Input>({
  name: 'devices',
  usage: USAGE,
  summary:
    'List devices by what you have in hand (names, addresses, serial numbers, users) and by filters; “-” before a filter turns it round.',
  examples: ['devices web', 'devices group:"Linux servers" is:needs-reboot', 'devices os:windows -is:online'],
  input,
  parse,
  run: list,
});

function parse(words: Words): Typed<Input> {
  const extra = extraWord(words, { filters: true });
  if (extra !== null) return { kind: 'fault', fault: extra };
  const filters: DeviceFilter[] = [];
  for (const part of words.filters) {
    const read = readFilter(part);
    if (read.kind === 'fault') return read;
    filters.push(read.filter);
  }
  return { kind: 'input', input: { words: [...words.free], filters } };
}

async function list(
  { refresh, ...asked }: Input,
  page: number,
  { inventory, pageSize = PAGE_SIZE }: ReadPorts,
): Promise<View> {
  const snapshot = await inventory.snapshot({ ...PERSON, refresh: refresh === true });
  const selected = select(snapshot, asked.words, asked.filters);
  if (selected.kind === 'unknown') return unknownValue(selected.unknown);
  const { devices, close } = selected;
  const shown = slice(devices, page, pageSize);
  const line = (device: IndexedDevice) => ({ device, groupName: groupNameIn(snapshot, device.groupId) });
  return {
    kind: 'devices',
    title: question(asked),
    rows: shown.rows.map(line),
    unlisted: snapshot.unlisted,
    partial: snapshot.partial,
    overdue: snapshot.overdue,
    close,
    paging: {
      command: 'devices',
      input: asked,
      page: shown.page,
      pages: shown.pages,
      total: devices.length,
      asOf: snapshot.asOf,
    },
  };
}

/** What was understood, as it would be typed. */
function question({ words, filters }: Omit<Input, 'refresh'>): string {
  const parts = [...words, ...filters.map(({ key, value, negated }) => filterText(key, value, negated))];
  return parts.join(' ');
}

function unknownValue(unknown: UnknownValue): View {
  switch (unknown.kind) {
    case 'group':
      return problemView({ kind: 'no-such-group', query: unknown.value, nearest: unknown.nearest });
    case 'word':
      return problemView(usageProblem({ name: 'devices', usage: USAGE }, unknown.fault));
  }
}
