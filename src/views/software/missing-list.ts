/** The answer of `missing`: the devices that are missing a package, and how many were checked. */
import { displayName } from '../../fleet/model/resources.ts';
import { deviceButton, listChangeBlocks } from '../device/device-buttons.ts';
import { connectionText } from '../device/device-card.ts';
import {
  type Completeness,
  checkedText,
  completenessNotes,
  packageReadingNotes,
} from '../fleet/completeness.ts';
import { context, section } from '../kit/blocks.ts';
import { runButton } from '../kit/buttons.ts';
import { bold, escapeMrkdwn, escapeValue, inlineCode, joinMrkdwn, type Mrkdwn, md } from '../kit/escape.ts';
import { type Block, DISPLAY_LIMIT, type RenderedMessage } from '../kit/limits.ts';
import { buildMessage } from '../kit/message.ts';
import { pageButtons, refreshButton } from '../kit/pager.ts';
import { type CsvTable, csvTable } from '../kit/table.ts';
import type { ListChanges, ListedDeviceLine, Paging } from '../models/list-model.ts';
import type { MissingPackage, Offer, PackageReading } from '../models/problem-model.ts';
import { offerBlocks } from '../problems/problem.ts';
import { countText, severityText } from '../text/common-text.ts';
import { present, statedGroup } from '../text/stated-facts.ts';

export type MissingView = {
  readonly kind: 'missing';
  /** The package, CVEs or severities (with commas), without the group. */
  readonly what: string;
  /** The group, including its subgroups; absent: the whole fleet. */
  readonly inGroup?: string;
  readonly rows: readonly {
    readonly line: ListedDeviceLine;
    readonly packages: readonly MissingPackage[];
  }[];
  /** Devices in the group or in the fleet. */
  readonly devices: number;
  readonly sought: 'package' | 'cve' | 'severity';
  /** `known`: some checked device has the package. `unknown`: none has. `unsure`: the installed packages of some were not read. */
  readonly standing: 'known' | 'unknown' | 'unsure';
  /** Those of the CVEs that no package read so far is about; absent: a CVE was not asked about. */
  readonly unseenCves?: readonly string[];
  /** The same question about packages with similar names, where no device is missing one of this name. */
  readonly offers: readonly Offer[];
  /** Changes of all its devices; absent: the reader may request none. */
  readonly changes?: ListChanges;
  readonly paging: Paging;
} & PackageReading &
  Completeness;

/** Packages named for one device; the others are counted. */
const MAX_NAMED = 3;

export function renderMissingList(view: MissingView): RenderedMessage {
  const { rows, paging } = view;
  const isWhole = view.looked === view.candidates;
  const shared = sharedPackages(view);
  const goOn = isWhole
    ? null
    : runButton({ action: 'missing:on', label: 'Check more', command: paging.command, input: paging.input });
  return buildMessage({
    text: md`${rows.length === 0 ? emptyText(view) : answerText(view, plainCount)}${unseenText(view)}\n${progressText(view)}`,
    body: [
      section(
        rows.length === 0
          ? md`*Devices missing* ${missingTargetText(view)}${groupText(view)}\n${emptyText(view)}${unseenText(view)}\n${progressText(view)}`
          : md`${answerText(view, boldCount)}${unseenText(view)}\n${progressText(view)}`,
      ),
      ...offerBlocks(view.offers),
      ...(shared === null ? [] : [section(md`Each device below is missing ${shared}.`)]),
      ...rows.map((row) => missingRow(row, shared === null)),
      ...[...packageReadingNotes(view), ...completenessNotes(view, md`listed`)].map((note) => context(note)),
    ],
    footer: [...listChangeBlocks(view.changes), ...pageButtons(paging, null, goOn ?? refreshButton(paging))],
  });
}

/** Such as `12 devices in Linux servers are missing openssl.` */
function answerText(view: MissingView, count: (words: Mrkdwn) => Mrkdwn): Mrkdwn {
  const { looked, candidates, paging } = view;
  const isMissing = paging.total === 1 ? md`is missing` : md`are missing`;
  const soFar = looked === candidates ? md`` : md` so far`;
  return md`${count(countText(paging.total, 'device'))}${groupText(view)} ${isMissing} ${missingTargetText(view)}${soFar}.`;
}

const plainCount = (words: Mrkdwn): Mrkdwn => words;
const boldCount = (words: Mrkdwn): Mrkdwn => md`*${words}*`;

function groupText({ inGroup }: MissingView): Mrkdwn {
  return inGroup === undefined ? md`` : md` in ${escapeMrkdwn(inGroup, DISPLAY_LIMIT.label)}`;
}

/** The packages, if every device on the page is missing the same; else null. Saves repeating them in each row. */
function sharedPackages({ rows }: MissingView): Mrkdwn | null {
  const [first, ...others] = rows.map(({ packages }) => packagesText(packages));
  return first !== undefined && others.length > 0 && others.every((other) => other === first) ? first : null;
}

/** The patch of the package, which may be installed in an older version, or one for the CVE that was asked about. */
function missingTargetText({ sought, what }: MissingView): Mrkdwn {
  const either = what.split(',').join(' or ');
  switch (sought) {
    case 'package':
      return md`the ${inlineCode(what, DISPLAY_LIMIT.sentence)} patch`;
    case 'cve':
      return md`a patch for ${inlineCode(either, DISPLAY_LIMIT.sentence)}`;
    case 'severity':
      return md`patches of ${escapeMrkdwn(either, DISPLAY_LIMIT.sentence)} severity`;
  }
}

function progressText(view: MissingView): Mrkdwn {
  const { rows, candidates, looked, devices } = view;
  if (rows.length > 0 || looked < candidates || candidates < 2)
    return checkedText(view, md`, required by policies or not (out of ${devices} devices)`);
  return md`All ${candidates} devices with missing patches, required by policies or not, were checked.`;
}

/**
 * The answer without rows. That no device is missing it is said only of a CVE, and of a package that some device is
 * known to have: another name may be mistyped. Devices without missing patches were not read, so they may have it too.
 */
function emptyText(view: MissingView): Mrkdwn {
  const { what, looked, candidates, sought, standing } = view;
  const device = md`No device${groupText(view)}`;
  if (candidates === 0) return md`${device} has missing patches.`;
  if (standing === 'known' || sought === 'cve') {
    const soFar = looked === candidates ? md`` : md` checked so far`;
    return md`${device}${soFar} is missing ${missingTargetText(view)}.`;
  }
  const name = inlineCode(what, DISPLAY_LIMIT.sentence);
  return standing === 'unsure'
    ? md`No missing package is named ${name}. It may be up to date on all devices, or have another name.`
    : md`No package named ${name} found.`;
}

/** Without it, an answer about a CVE that nobody knows reads as if the fleet were safe from it. */
function unseenText({ unseenCves = [] }: MissingView): Mrkdwn {
  if (unseenCves.length === 0) return md``;
  const which = inlineCode(unseenCves.join(' or '), DISPLAY_LIMIT.sentence);
  return md`\nNo patch for ${which} is listed for any device checked, so it isn’t known whether one is affected.`;
}

function missingRow({ line, packages }: MissingView['rows'][number], hasPackages: boolean): Block {
  const { device } = line;
  const name = bold(displayName(device));
  const title = present(name, md`#${device.id}`, connectionText(device), statedGroup(line));
  const all = hasPackages ? md`\n${packagesText(packages)}` : md``;
  return section(md`${joinMrkdwn(title, ' · ')}${all}`, deviceButton(device.id, 'Show', `:${device.id}`));
}

function packagesText(packages: readonly MissingPackage[]): Mrkdwn {
  const named = packages.slice(0, MAX_NAMED).map(packageText);
  const left = packages.length - named.length;
  return joinMrkdwn(left === 0 ? named : [...named, md`${left} more`], ', ');
}

function packageText({ name, displayName: shown, version, severity }: MissingPackage): Mrkdwn {
  const what = escapeValue(shown === '' ? name : shown, DISPLAY_LIMIT.label);
  const which = version === null || version === '' ? md`` : md` ${escapeValue(version, DISPLAY_LIMIT.label)}`;
  const how = severity === null || severity === '' ? md`` : md` (${severityText(severity)})`;
  return md`${what}${which}${how}`;
}

export function missingCsv(view: MissingView): CsvTable {
  return csvTable(
    view.rows.flatMap(({ line, packages }) => packages.map((item) => ({ ...line, item }))),
    {
      'device id': ({ device }) => device.id,
      device: ({ device }) => displayName(device),
      group: ({ groupName }) => groupName,
      package: ({ item }) => item.name,
      name: ({ item }) => item.displayName,
      version: ({ item }) => item.version,
      severity: ({ item }) => item.severity,
    },
  );
}
