/** What device filters match: how many, and some of them. Addresses are left out. */
import { displayName } from '../fleet/model.ts';
import { deviceButton } from './device/device-buttons.ts';
import { actions, type Button, context, section } from './kit/blocks.ts';
import { code, joined, literal, type Mrkdwn, md, strong } from './kit/escape.ts';
import { SHOWN } from './kit/limits.ts';
import { message } from './kit/message.ts';
import { formButton } from './kit/run-button.ts';
import { when } from './kit/when.ts';
import type { Block, RenderedMessage, View } from './model.ts';
import type { PreviewedLine } from './models/report-model.ts';
import { present, statedSystem, statedText } from './stated.ts';
import { count, listed } from './words.ts';

type PreviewView = Extract<View, { kind: 'preview' }>;

const CLAUSES = 10;
const VALUES = 10;

export function renderPreview(view: PreviewView): RenderedMessage {
  const { question, rows, total, asOf } = view;
  const found = total === null ? md`at least ${count(rows.length, 'device')}` : count(total, 'device');
  const left = total === null ? null : total - rows.length;
  const rest =
    left === null
      ? md` The management service gave no total.`
      : left > 0
        ? md` ${left} more not shown.`
        : md``;
  return message({
    text: md`Preview ${code(question, SHOWN.sentence)}: ${found}.`,
    body: [
      section(md`*Preview* ${code(question, SHOWN.sentence)}`),
      section(filterWords(view)),
      ...(rows.length === 0 ? [section(md`No devices match.`)] : rows.map(row)),
    ],
    end: [context(md`${found}.${rest} As of ${when(asOf)}.`), ...actions(changeButton(view.input))],
  });
}

/** Opens the form with the filters as they are. */
function changeButton(input: unknown): Button | null {
  return formButton({ label: 'Edit filters', command: 'preview', input });
}

const FIELDS: Readonly<Record<PreviewView['filters'][number]['field'], string>> = {
  os_family: 'operating system',
  os_version_id: 'OS version number',
  ip_addr: 'address',
  tag: 'tag',
  hostname: 'hostname',
};

/** What the service was asked, in words. */
function filterWords({ filters, groups }: PreviewView): Mrkdwn {
  const clauses = filters.slice(0, CLAUSES).map(clauseWords);
  const where = groups.length === 0 ? md`in all groups` : md`in ${listed(groups, 5)}`;
  return clauses.length === 0
    ? md`All devices ${where}.`
    : md`Devices ${where} with ${joined(clauses, ' and ')}.`;
}

function clauseWords({ field, op, values }: PreviewView['filters'][number]): Mrkdwn {
  const any = joined(
    values.slice(0, VALUES).map((value) => code(value)),
    ' or ',
  );
  const what = literal(FIELDS[field]);
  switch (op) {
    case 'in':
      return md`the ${what} ${any}`;
    case 'not_in':
      return md`an ${what} other than ${any}`;
    case 'like_any':
      return md`${field === 'ip_addr' ? md`an` : md`a`} ${what} that contains ${any}`;
    case 'not_like_any':
      return md`no ${what} that contains ${any}`;
  }
}

function row(device: PreviewedLine): Block {
  const { id, groupId, groupName, osFamily, osName = osFamily, osVersion, tags } = device;
  const facts = present(
    statedSystem({ osFamily, osName, osVersion }),
    groupName === null && groupId !== null ? md`#${groupId}` : statedText(groupName),
    tags.length === 0 ? null : listed(tags, 5),
  );
  const title = md`${strong(displayName(device))} · #${id}`;
  return section(
    facts.length === 0 ? title : md`${title}\n${joined(facts, ' · ')}`,
    deviceButton(id, 'Show', `:${id}`),
  );
}
