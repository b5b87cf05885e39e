/** What is said where many devices are named to a command that changes one. */
import type { UsageFault } from '../../views/model.ts';
import type { Typed } from '../define.ts';
import { fault } from '../line/faults.ts';
import type { Words } from '../line/grammar.ts';
import { SAVED_KEY } from '../line/saved-targets.ts';
import { isDeviceKey, readFilters } from './device-filters.ts';
import { type DeviceRef, parseDevice } from './resolve.ts';

/** Filters that find devices, and their list, or what is wrong with them; null where there are none. `own`: keys that are the command's own. */
export function manyDevices({ filters }: Words, own: readonly string[] = []): UsageFault | null {
  const finding = filters.filter(({ key }) => !own.includes(key) && (isDeviceKey(key) || key === SAVED_KEY));
  if (finding.length === 0) return null;
  const parts = finding.map(({ text, or }, at) => (or === true && at > 0 ? `or ${text}` : text));
  const joined = finding.map(({ or, ...part }, at) => (or === true && at > 0 ? { ...part, or } : part));
  const read = readFilters(joined);
  // What is saved under a name is not known here.
  if (read.kind === 'fault' && !finding.some(({ key }) => key === SAVED_KEY)) return read.fault;
  const choice =
    read.kind === 'fault' ? null : { command: 'devices', input: { words: [], filters: read.filters } };
  return { kind: 'one-device', filters: parts.join(' '), choice };
}

/** The one device that a command without filters of its own changes, and why. */
export function parseChanged(words: Words): Typed<{ device: DeviceRef; reason: string | null }> {
  const many = manyDevices(words);
  return many === null ? parseDevice(words, { reason: true }) : fault(many);
}
