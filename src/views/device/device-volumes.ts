/** The page of a device's volumes and their free space. */
import { freePercent } from '../../fleet/model/derived-fields.ts';
import type { Device, Volume } from '../../fleet/model/resources.ts';
import { rowBlocks, section } from '../kit/blocks.ts';
import { bar } from '../kit/charts.ts';
import { bold, escapeMrkdwn, inlineCode, joinMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import { DISPLAY_LIMIT } from '../kit/limits.ts';
import { type Column, renderTable } from '../kit/table.ts';
import { countText } from '../text/common-text.ts';
import { bytesText } from '../text/quantities.ts';
import type { PageContent } from './page-content.ts';

const BUDGET = 8_000;
const moreText = (left: number): Mrkdwn => md`${left} more volumes not shown.`;
/** Percent free below which a volume counts as low. Our own limit: with less, updates begin to fail. */
const LOW_PERCENT = 10;

export function volumesPage({ detail }: Device): PageContent {
  const all = detail === null ? [] : detail.volumes;
  if (all.length === 0) {
    return { summary: md`no volumes reported`, body: [section(md`The agent hasn’t reported any volumes.`)] };
  }
  return {
    summary: md`${countText(all.length, 'volume')}, ${spaceText(all)}`,
    body: [
      renderTable(all, {
        columns: COLUMNS,
        fallback: rowBlocks(all.map(row), { budget: BUDGET, more: moreText }),
        more: moreText,
      }),
    ],
  };
}

/** What is not known is neither low nor good. */
function spaceText(all: readonly Volume[]): Mrkdwn {
  const low = all.filter(isLow).length;
  const unclear = all.filter((volume) => freePercent(volume) === null).length;
  if (unclear === all.length) return md`free space unknown`;
  if (unclear === 0) return low === 0 ? md`none low on space` : md`${low} low on space`;
  return md`${low} low on space, ${unclear} unknown`;
}

const COLUMNS: readonly Column<Volume>[] = [
  { title: 'Volume', cell: nameCell, max: DISPLAY_LIMIT.name, wraps: true },
  { title: 'Free', cell: freeCell, align: 'right' },
  { title: 'Size', cell: sizeCell, align: 'right' },
  { title: 'Space', cell: (volume) => spaceCell(volume) },
];

function nameCell({ name, label, fileSystem, systemDisk }: Volume): string {
  const parts = [name, label, fileSystem, systemDisk === true ? 'system' : null];
  return parts.filter((part) => part !== null && part !== '').join(', ');
}

function freeCell(volume: Volume): string | null {
  const percent = freePercent(volume);
  return percent === null ? volume.sent.free : `${bytesText(volume.freeBytes)} (${percent}%)`;
}

/** Sizes that contradict each other, or cannot be read, stand as the agent wrote them. */
function sizeCell(volume: Volume): string {
  const { sizeBytes, sent } = volume;
  return (freePercent(volume) === null ? sent.size : null) ?? bytesText(sizeBytes);
}

function spaceCell(volume: Volume): string | null {
  if (freePercent(volume) === null) return 'unknown';
  return isLow(volume) ? 'low' : null;
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
    const reported = Object.entries(volume.sent).flatMap(([what, text]) =>
      text === null ? [] : [md`${trustedMrkdwn(what)} ${inlineCode(text, DISPLAY_LIMIT.label)}`],
    );
    const asSent = reported.length === 0 ? md`` : md` Reported: ${joinMrkdwn(reported, ', ')}`;
    return md`${title}\nFree space unknown.${asSent}`;
  }
  const warning = isLow(volume) ? md` · *low on space*` : md``;
  return md`${title}\n${bar(sizeBytes - freeBytes, sizeBytes)} ${bytesText(freeBytes)} of ${bytesText(sizeBytes)} free (${percent}%)${warning}`;
}

function isLow(volume: Volume): boolean {
  const percent = freePercent(volume);
  return percent !== null && percent < LOW_PERCENT;
}
