/** The change of a device's record, as it is typed or chosen in a form. Pure. */
import { isIP } from 'node:net';
import { z } from 'zod';
import type { DeviceChange } from '../../fleet/model/edits.ts';
import type { GroupId } from '../../lib/ids.ts';
import type { TypedInput } from '../core/define-command.ts';
import { filterFault } from '../parser/filter-keys.ts';
import { commaValues, type FilterToken, MAX_LINE_LENGTH } from '../parser/tokenizer.ts';
import { usageFault } from '../parser/usage-errors.ts';
import { nameOrId } from '../targets/name-lookup.ts';

const textList = z.array(z.string().min(1).max(MAX_LINE_LENGTH)).max(200);
export const changeFields = {
  /** Null removes it. */
  name: z.string().min(1).max(MAX_LINE_LENGTH).nullable().exactOptional(),
  group: nameOrId.exactOptional(),
  add: textList.exactOptional(),
  remove: textList.exactOptional(),
  exception: z.boolean().exactOptional(),
  addresses: textList.exactOptional(),
};
const changeInput = z.object(changeFields);
export type DeviceChangeInput = z.infer<typeof changeInput>;

const KEYS = { once: ['name', 'group', 'exception'], many: ['tag', 'ip'], removable: ['tag'] };
/** These set values, and select no devices. */
export const CHANGE_KEYS: readonly string[] = [...KEYS.once, ...KEYS.many];
const YES_NO = new Map([
  ['yes', true],
  ['on', true],
  ['no', false],
  ['off', false],
]);

/** The change that these parts ask for, which may be none; or the first that does not fit. */
export function readDeviceChange(parts: readonly FilterToken[]): TypedInput<DeviceChangeInput> {
  const wrong = filterFault(parts, KEYS);
  if (wrong !== null) return usageFault(wrong);
  const all = (key: string) => parts.filter((part) => part.key === key);
  const [name, group, exception] = KEYS.once.map((key) => all(key)[0]);
  const excepted = exception && YES_NO.get(exception.value.toLowerCase());
  if (exception !== undefined && excepted === undefined) {
    const expected = 'exception:yes or exception:no';
    return usageFault({ kind: 'bad-value', word: exception.text, expected });
  }
  const tags = (negated: boolean) =>
    all('tag')
      .filter((tag) => tag.negated === negated)
      .flatMap(commaValues)
      .map((tag) => tag.trim());
  const [add, remove, addresses] = [tags(false), tags(true), all('ip').map(({ value }) => value)];
  const odd = addresses.find((address) => isIP(address) === 0);
  if (odd !== undefined)
    return usageFault({ kind: 'bad-value', word: `ip:${odd}`, expected: 'an IP address' });
  return {
    kind: 'input',
    input: {
      ...(name === undefined ? {} : { name: name.value.toLowerCase() === 'none' ? null : name.value }),
      ...(group === undefined ? {} : { group: group.value }),
      ...(add.length === 0 ? {} : { add }),
      ...(remove.length === 0 ? {} : { remove }),
      ...(excepted === undefined ? {} : { exception: excepted }),
      ...(addresses.length === 0 ? {} : { addresses }),
    },
  };
}

/** The same for the service; `into`: the group that was named. */
export function toDeviceChange(input: DeviceChangeInput, into: GroupId | undefined): DeviceChange {
  const { name, add = [], remove = [], exception, addresses } = input;
  return {
    ...(name === undefined ? {} : { customName: name }),
    ...(into === undefined ? {} : { groupId: into }),
    ...(add.length + remove.length === 0 ? {} : { retag: { add: [...new Set(add)], remove } }),
    ...(exception === undefined ? {} : { exception }),
    ...(addresses === undefined ? {} : { addresses }),
  };
}
