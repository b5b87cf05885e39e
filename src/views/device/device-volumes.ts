/** The page of a device's volumes and their free space. */
import type { Volume } from '../../fleet/model/device-parts.ts';
import type { Device } from '../../fleet/model/resources.ts';
import { rowBlocks, section } from '../kit/blocks.ts';
import { bar } from '../kit/charts.ts';
import { bold, escapeMrkdwn, joinMrkdwn, type Mrkdwn, md } from '../kit/escape.ts';
import { DISPLAY_LIMIT } from '../kit/limits.ts';
import { type Column, renderTable } from '../kit/table.ts';
import { countText } from '../text/common-text.ts';
import { bytesText } from '../text/quantities.ts';
import type { PageContent } from './page-content.ts';

const BUDGET = 8_000;
const moreText = (left: number): Mrkdwn => md`${left} more volumes not shown.`;
/** Percent free below which a volume counts as low. Our own limit: with less, updates begin to fail. */
const LOW_PERCENT = 10;

/** The content of the page. */
export function volumesPage({ detail }: Device): PageContent {
  const all = detail === null ? [] : detail.volumes;
  if (all.length === 0) {
    return { summary: md`no volumes reported`, body: [section(md`The agent hasn’t reported any volumes.`)] };
  }
  const low = all.filter((volume) => isLow(volume)).length;
  return {
    summary: md`${countText(all.length, 'volume')}, ${low === 0 ? md`none low on space` : md`${low} low on space`}`,
    body: [
      renderTable(all, {
        columns: COLUMNS,
        fallback: rowBlocks(all.map(row), { budget: BUDGET, more: moreText }),
        more: moreText,
      }),
    ],
  };
}

const COLUMNS: readonly Column<Volume>[] = [
  { title: 'Volume', cell: nameCell, max: DISPLAY_LIMIT.name, wraps: true },
  { title: 'Free', cell: freeCell, align: 'right' },
  { title: 'Size', cell: ({ sizeBytes }) => bytesText(sizeBytes), align: 'right' },
  { title: 'Space', cell: (volume) => (isLow(volume) ? 'low' : null) },
];

function nameCell({ name, label, fileSystem, systemDisk }: Volume): string {
  const parts = [name, label, fileSystem, systemDisk === true ? 'system' : null];
  return parts.filter((part) => part !== null && part !== '').join(', ');
}

function freeCell(volume: Volume): string | null {
  const percent = freePercent(volume);
  return percent === null ? null : `${bytesText(volume.freeBytes)} (${percent}%)`;
}

function row(volume: Volume): Mrkdwn {
  const { name, label, fileSystem, systemDisk, sizeBytes, freeBytes } = volume;
  const notes = [
    label === null || label === '' ? null : escapeMrkdwn(label, DISPLAY_LIMIT.label),
    fileSystem === null || fileSystem === '' ? null : escapeMrkdwn(fileSystem, DISPLAY_LIMIT.label),
    systemDisk === true ? md`system` : null,
  ].filter((note) => note !== null);
  const title = md`${joinMrkdwn([bold(name ?? '', DISPLAY_LIMIT.label), ...notes], ' · ')}`;
  const percent = freePercent(volume);
  if (percent === null || sizeBytes === null || freeBytes === null) {
    return md`${title}\n${bytesText(sizeBytes)}, free space unknown`;
  }
  const warning = isLow(volume) ? md` · *low on space*` : md``;
  return md`${title}\n${bar(sizeBytes - freeBytes, sizeBytes)} ${bytesText(freeBytes)} of ${bytesText(sizeBytes)} free (${percent}%)${warning}`;
}

/** Free space in percent; null where a size is missing or impossible. */
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
