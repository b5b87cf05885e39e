/** Which change of all devices of a list its reader is offered: exactly of those that the list shows, on all of its pages. */
import { packIds } from '../../lib/packed-ids.ts';
import type { ListChanges, PatchChoice } from '../../views/models/list-model.ts';
import type { ReadPorts } from '../core/command.ts';
import type { DeviceListQuery } from '../targets/device-query.ts';

export type ListedDevices = {
  readonly ids: Iterable<number> & { readonly length: number };
  /** What they were listed for; absent: nothing in particular; null: none of them has patches. */
  readonly patch?: PatchChoice | null;
  /** What finds them again, where their ids are too many for a button; absent: nothing does. */
  readonly query?: DeviceListQuery;
  /** More may belong to them: not all was read yet. */
  readonly isPart?: boolean;
};

/** Three buttons carry them, and all blocks of a message have 12,000 characters. Our own figure. */
const MAX_PACKED = 500;

/** Nothing for readers who may not request changes, and where there is no device. */
export async function listChanges(
  { ids, patch = { packages: [], severities: [] }, query, isPart = false }: ListedDevices,
  { refusal, rollouts }: Pick<ReadPorts, 'refusal' | 'rollouts'>,
): Promise<{ readonly changes?: ListChanges }> {
  const devices = ids.length;
  if (devices === 0 || ((await refusal?.('propose')) ?? null) !== null) return {};
  const target = devices > rollouts.maxDevices ? null : targetOf(ids, query);
  if (target === null) return { changes: { kind: 'too-many' } };
  return { changes: { kind: 'offered', devices, target, patch, ...(isPart ? { isPart: true } : {}) } };
}

function targetOf(ids: ListedDevices['ids'], query: DeviceListQuery | undefined): object | null {
  const packed = packIds(ids);
  if (packed.length <= MAX_PACKED) return { ids: packed };
  return query === undefined
    ? null
    : { listed: { words: query.words, filters: query.filters, devices: ids.length } };
}
