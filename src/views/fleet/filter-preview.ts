/** The answer of `preview`: how many devices the filters match, and some of them. Without addresses, which are personal data. */
import type { DevicePreviewFilter } from '../../fleet/fleet.ts';
import { systemName } from '../../fleet/model/derived-fields.ts';
import { displayName } from '../../fleet/model/resources.ts';
import { deviceButton } from '../device/device-buttons.ts';
import { section } from '../kit/blocks.ts';
import { formButton } from '../kit/buttons.ts';
import { bold, escapeMrkdwn, inlineCode, joinMrkdwn, type Mrkdwn, md } from '../kit/escape.ts';
import { type Block, DISPLAY_LIMIT, type RenderedMessage } from '../kit/limits.ts';
import { buildMessage } from '../kit/message.ts';
import { pageButtons } from '../kit/pager.ts';
import { type CsvTable, csvTable } from '../kit/table.ts';
import type { Paging, PreviewedDeviceLine } from '../models/list-model.ts';
import { countText, listMrkdwn } from '../text/common-text.ts';
import { present, statedSystem, statedText } from '../text/stated-facts.ts';

export type PreviewView = {
  readonly kind: 'preview';
  /** The filters as they would be typed. */
  readonly question: string;
  /** The filters as the form takes them. */
  readonly input: unknown;
  /** The filters as they were sent to the service. */
  readonly filters: readonly DevicePreviewFilter[];
  /** Names of the groups to search; empty: all groups. */
  readonly groups: readonly string[];
  readonly rows: readonly PreviewedDeviceLine[];
  /** Null where the service gave no total. */
  readonly total: number | null;
  readonly paging: Paging;
};

const MAX_CLAUSES = 10;
const MAX_VALUES = 10;

/** Draws the answer. Without a total from the service, only a minimum is stated. */
export function renderFilterPreview(view: PreviewView): RenderedMessage {
  const { question, rows, total } = view;
  const found =
    total === null ? md`at least ${countText(rows.length, 'device')}` : countText(total, 'device');
  return buildMessage({
    text: md`Preview ${inlineCode(question, DISPLAY_LIMIT.sentence)}: ${found}.`,
    body: [
      section(md`*Preview* ${inlineCode(question, DISPLAY_LIMIT.sentence)}`),
      section(filtersText(view)),
      ...(rows.length === 0 ? [section(md`No devices match.`)] : rows.map(previewRow)),
    ],
    footer: pageButtons(
      view.paging,
      total === null ? md`${found} (the management service gave no total)` : found,
      formButton({ label: 'Edit filters', command: 'preview', input: view.input }),
    ),
  });
}

const FIELDS: Readonly<Record<PreviewView['filters'][number]['field'], string>> = {
  os_family: 'operating system',
  os_version_id: 'OS version number',
  ip_addr: 'address',
  tag: 'tag',
  hostname: 'hostname',
  organizational_unit: 'organizational unit',
};

function filtersText({ filters, groups }: PreviewView): Mrkdwn {
  const clauses = filters.slice(0, MAX_CLAUSES).map(clauseText);
  const where = groups.length === 0 ? md`in all groups` : md`in ${listMrkdwn(groups, 5)}`;
  return clauses.length === 0
    ? md`All devices ${where}.`
    : md`Devices ${where} with ${joinMrkdwn(clauses, ' and ')}.`;
}

function clauseText({ field, op, values }: PreviewView['filters'][number]): Mrkdwn {
  const any = joinMrkdwn(
    values.slice(0, MAX_VALUES).map((value) => inlineCode(value)),
    ' or ',
  );
  const what = escapeMrkdwn(FIELDS[field]);
  switch (op) {
    case 'in':
      return md`the ${what} ${any}`;
    case 'not_in':
      return md`an ${what} other than ${any}`;
    case 'like_any':
      return md`${/^[ao]/.test(FIELDS[field]) ? md`an` : md`a`} ${what} that contains ${any}`;
    case 'not_like_any':
      return md`no ${what} that contains ${any}`;
  }
}

function previewRow(device: PreviewedDeviceLine): Block {
  const { id, groupId, groupName, osFamily, osName = osFamily, osVersion, tags } = device;
  const facts = present(
    statedSystem({ osFamily, osName, osVersion }),
    groupName === null && groupId !== null ? md`#${groupId}` : statedText(groupName),
    tags.length === 0 ? null : listMrkdwn(tags, 5),
  );
  const title = md`${bold(displayName(device))} · #${id}`;
  return section(
    facts.length === 0 ? title : md`${title}\n${joinMrkdwn(facts, ' · ')}`,
    deviceButton(id, 'Show', `:${id}`),
  );
}

export function previewCsv({ rows, total }: PreviewView): CsvTable {
  const table = csvTable(rows, {
    id: (row) => row.id,
    hostname: (row) => row.name,
    'custom name': (row) => row.customName,
    group: (row) => row.groupName,
    system: ({ osFamily, osName = null }) => systemName({ osFamily, osName }),
    version: (row) => row.osVersion,
  });
  return { ...table, omittedRows: Math.max((total ?? rows.length) - rows.length, 0) };
}
