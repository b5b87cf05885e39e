/** The change of a device's record, as it is typed or chosen in a form. Pure. */
import { isIP } from 'node:net';
import { z } from 'zod';
import type { DeviceChange } from '../../fleet/model/changes.ts';
import { defined } from '../../lib/defined.ts';
import type { GroupId } from '../../lib/ids.ts';
import type { TypedInput } from '../core/define-command.ts';
import { filterFault, listedValues, readYesNo } from '../parser/filter-keys.ts';
import { type FilterToken, MAX_LINE_LENGTH } from '../parser/tokenizer.ts';
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

/** The change that these parts ask for, which may be none; or the first that does not fit. */
export function readDeviceChange(parts: readonly FilterToken[]): TypedInput<DeviceChangeInput> {
  const wrong = filterFault(parts, KEYS);
  if (wrong !== null) return usageFault(wrong);
  const all = (key: string) => parts.filter((part) => part.key === key);
  const [name, group, exception] = KEYS.once.map((key) => all(key)[0]);
  const excepted = exception && readYesNo(exception.value);
  if (exception !== undefined && excepted === null) {
    const expected = 'exception:yes or exception:no';
    return usageFault({ kind: 'bad-value', word: exception.text, expected });
  }
  const addresses = all('ip').map(({ value }) => value);
  const odd = addresses.find((address) => isIP(address) === 0);
  if (odd !== undefined)
    return usageFault({ kind: 'bad-value', word: `ip:${odd}`, expected: 'an IP address' });
  return {
    kind: 'input',
    input: defined({
      name: name?.value.toLowerCase() === 'none' ? null : name?.value,
      group: group?.value,
      add: listedValues(all('tag'), false),
      remove: listedValues(all('tag'), true),
      exception: excepted ?? undefined,
      addresses: addresses.length === 0 ? undefined : addresses,
    }),
  };
}

/** The same for the service; `into`: the group that was named. */
export function toDeviceChange(input: DeviceChangeInput, into: GroupId | undefined): DeviceChange {
  const { name, add = [], remove = [], exception, addresses } = input;
  const retag = add.length + remove.length === 0 ? undefined : { add: [...new Set(add)], remove };
  return defined({ customName: name, groupId: into, retag, exception, addresses });
}
