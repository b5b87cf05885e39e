/** The volumes of a device and what is free on them. */
import type { Volume } from '../../fleet/device-parts.ts';
import type { Device } from '../../fleet/model.ts';
import { bytes } from '../bytes.ts';
import { lines, section } from '../kit/blocks.ts';
import { bar } from '../kit/charts.ts';
import { joined, literal, type Mrkdwn, md, strong } from '../kit/escape.ts';
import { SHOWN } from '../kit/limits.ts';
import { type Column, table } from '../kit/table.ts';
import { count } from '../words.ts';
import type { PageContent } from './device-pages.ts';

const BUDGET = 8_000;
const more = (left: number): Mrkdwn => md`${left} more volumes not shown.`;
/** Our own limit: with less of a volume free, updates begin to fail. In percent. */
const LOW_PERCENT = 10;

export function volumes({ detail }: Device): PageContent {
  const all = detail === null ? [] : detail.volumes;
  if (all.length === 0) {
    return { sum: md`no volumes reported`, body: [section(md`The agent hasn’t reported any volumes.`)] };
  }
  const low = all.filter((volume) => isLow(volume)).length;
  return {
    sum: md`${count(all.length, 'volume')}, ${low === 0 ? md`none low on space` : md`${low} low on space`}`,
    body: [table(all, { columns: COLUMNS, instead: lines(all.map(row), { budget: BUDGET, more }), more })],
  };
}

const COLUMNS: readonly Column<Volume>[] = [
  { title: 'Volume', cell: nameCell, max: SHOWN.name, wraps: true },
  { title: 'Free', cell: freeCell, align: 'right' },
  { title: 'Size', cell: ({ sizeBytes }) => bytes(sizeBytes), align: 'right' },
  { title: 'Space', cell: (volume) => (isLow(volume) ? 'low' : null) },
];

function nameCell({ name, label, fileSystem, systemDisk }: Volume): string {
  const parts = [name, label, fileSystem, systemDisk === true ? 'system' : null];
  return parts.filter((part) => part !== null && part !== '').join(' · ');
}

function freeCell(volume: Volume): string | null {
  const percent = freePercent(volume);
  return percent === null ? null : `${bytes(volume.freeBytes)} (${percent}%)`;
}

function row(volume: Volume): Mrkdwn {
  const { name, label, fileSystem, systemDisk, sizeBytes, freeBytes } = volume;
  const notes = [
    label === null || label === '' ? null : literal(label, SHOWN.label),
    fileSystem === null || fileSystem === '' ? null : literal(fileSystem, SHOWN.label),
    systemDisk === true ? md`system` : null,
  ].filter((note) => note !== null);
  const title = md`${joined([strong(name ?? '', SHOWN.label), ...notes], ' · ')}`;
  const percent = freePercent(volume);
  if (percent === null || sizeBytes === null || freeBytes === null) {
    return md`${title}\n${bytes(sizeBytes)}, free space unknown`;
  }
  const warning = isLow(volume) ? md` · *low on space*` : md``;
  return md`${title}\n${bar(sizeBytes - freeBytes, sizeBytes)} ${bytes(freeBytes)} of ${bytes(sizeBytes)} free (${percent}%)${warning}`;
}

/** Null where it is not stated, or cannot be. */
function freePercent({ sizeBytes, freeBytes }: Volume): number | null {
  if (sizeBytes === null || freeBytes === null || sizeBytes <= 0 || freeBytes < 0 || freeBytes > sizeBytes) {
    return null;
  }
  return Math.floor((freeBytes / sizeBytes) * 100);
}

function isLow(volume: Volume): boolean {
  const percent = freePercent(volume);
  return percent !== null && percent < LOW_PERCENT;
}
