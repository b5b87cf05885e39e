/** `packages`: the software of one device, what is missing first. */
import { z } from 'zod';
import type { Instant } from '../clock.ts';
import { isMissing, type Package } from '../fleet/model.ts';
import type { DeviceId } from '../ids.ts';
import type { View } from '../views/model.ts';
import type { ReadPorts } from './command.ts';
import { defineRead } from './define.ts';
import { collectRows, slice } from './paging.ts';
import { deviceRef, PERSON, parseDevice, viewOfDevice } from './resolve.ts';

const input = z.object({ device: deviceRef });

const PAGE_SIZE = 15;
const { compare } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
/** Worst first; words of the service that we do not know come after those that we do. */
const SEVERITIES = ['critical', 'high', 'medium', 'low', 'no_known_cves'];

export const packages = defineRead<z.infer<typeof input>>({
  name: 'packages',
  usage: 'packages NAME|#ID',
  summary: 'List the software of a device, missing patches first.',
  examples: ['packages web-01'],
  input,
  parse: parseDevice,
  run: ({ device }, page, ports) =>
    viewOfDevice({ device, again: (id) => ({ command: 'packages', input: { device: id } }) }, ports, (id) =>
      list(id, page, ports),
    ),
});

async function list(id: DeviceId, page: number, { fleet, inventory, clock }: ReadPorts): Promise<View> {
  const now = clock.now();
  const [device, rows] = await Promise.all([
    fleet.device(id, PERSON),
    collectRows(fleet.packages(id, PERSON)),
  ]);
  inventory.learn(device);
  inventory.learnPackages(rows.map(({ name }) => name));
  const sorted = rows.toSorted(
    (a, b) => order(a, now) - order(b, now) || compare(a.displayName, b.displayName),
  );
  const shown = slice(sorted, page, PAGE_SIZE);
  return {
    kind: 'packages',
    device,
    rows: shown.rows,
    missing: rows.filter((row) => isMissing(row, now)).length,
    paging: {
      command: 'packages',
      input: { device: id },
      page: shown.page,
      pages: shown.pages,
      total: rows.length,
      asOf: now,
    },
  };
}

/** Missing by severity, then put off, then ignored, then installed. */
function order(item: Package, now: Instant): number {
  if (item.installed) return 300;
  if (item.ignored) return 200;
  if (!isMissing(item, now)) return 100;
  const severity = SEVERITIES.indexOf(item.severity ?? '');
  return severity === -1 ? SEVERITIES.length : severity;
}
