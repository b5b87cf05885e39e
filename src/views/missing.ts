/** The devices that miss a package, and how many of them were looked at for it. */

import { displayName } from '../fleet/model.ts';
import { completeness } from './completeness.ts';
import { connection } from './device/device.ts';
import { deviceButton } from './device/device-buttons.ts';
import { context, section } from './kit/blocks.ts';
import { code, joined, literal, type Mrkdwn, md, strong } from './kit/escape.ts';
import { SHOWN } from './kit/limits.ts';
import { message } from './kit/message.ts';
import { pager, refreshButton } from './kit/pager.ts';
import { runButton } from './kit/run-button.ts';
import { when } from './kit/when.ts';
import type { Block, RenderedMessage, View } from './model.ts';
import type { MissedPackage } from './models/software-model.ts';
import { severityWords } from './severity.ts';
import { present, statedGroup } from './stated.ts';
import { count, listed } from './words.ts';

type MissingView = Extract<View, { kind: 'missing' }>;

/** Packages of one device that are named; the others are counted. */
const NAMED = 3;

export function renderMissing(view: MissingView): RenderedMessage {
  const { question, rows, paging } = view;
  const total = count(paging.total, 'device');
  // A nought would be read as an answer, and the name may be mistyped.
  const found = paging.total === 0 ? md`No devices` : total;
  const isWhole = view.looked === view.candidates;
  const asked =
    view.sought === 'cve'
      ? md`*Devices missing a patch for* ${code(question, SHOWN.sentence)}`
      : md`*Devices missing* ${code(question, SHOWN.sentence)}`;
  const missedBy = md`${total} ${paging.total === 1 ? md`is missing` : md`are missing`} ${soughtWords(view)}${isWhole ? md`` : md` so far`}.`;
  const goOn = isWhole
    ? null
    : runButton({ action: 'missing:on', label: 'Check more', command: paging.command, input: paging.input });
  return message({
    text: md`${rows.length === 0 ? nobody(view) : missedBy}\n${lookedAt(view)}`,
    body: [
      section(md`${asked}\n${rows.length === 0 ? md`${nobody(view)}\n` : md``}${lookedAt(view)}`),
      ...rows.map(row),
      ...notes(view).map((note) => context(note)),
    ],
    end: pager(paging, isWhole ? found : md`${found} so far`, goOn ?? refreshButton(paging)),
  });
}

/** The package, or what is missing where a CVE was asked for. */
function soughtWords({ sought, what }: MissingView): Mrkdwn {
  const shown = code(what, SHOWN.sentence);
  return sought === 'cve' ? md`a patch for ${shown}` : shown;
}

/** What the answer rests on: only devices with missing patches need a look. */
function lookedAt({ devices, candidates, looked, isGoing }: MissingView): Mrkdwn {
  const of = md`${count(candidates, 'device')} with available patches (${devices} in total)`;
  if (looked === candidates) return md`Checked all ${of}.`;
  const on = isGoing ? md`Still checking. Run this again in a minute.` : md`Run this again to check more.`;
  return md`Checked ${looked} of ${of}. ${on}`;
}

function nobody(view: MissingView): Mrkdwn {
  const { nearest } = view;
  const near = nearest.length === 0 ? md`` : md`\nSimilar names: ${listed(nearest)}.`;
  return md`${nobodyWords(view)}${near}`;
}

/**
 * A name or number that no device has may be mistyped, so it is never said that no device misses it. Devices without
 * available patches were not read, and may have it.
 */
function nobodyWords(view: MissingView): Mrkdwn {
  const { what, looked, candidates, sought, standing, inGroup } = view;
  const device = inGroup === undefined ? md`No devices` : md`No devices in ${literal(inGroup, SHOWN.label)}`;
  if (candidates === 0) return md`${device} have available patches.`;
  const shown = code(what, SHOWN.sentence);
  const checked =
    looked === candidates
      ? md`${count(looked, 'device')} checked`
      : md`${count(looked, 'device')} checked so far`;
  const isCve = sought === 'cve';
  switch (standing) {
    case 'known':
      return looked === candidates
        ? md`${device} are missing ${soughtWords(view)}.`
        : md`${device} checked so far are missing ${soughtWords(view)}.`;
    case 'unsure': {
      const which = isCve
        ? md`No missing package is listed for ${shown}`
        : md`No missing package is named ${shown}`;
      return md`${which} (${checked}). Not all installed packages were read.`;
    }
    case 'unknown':
      return isCve
        ? md`No package for ${shown} found, missing or installed (${checked}).`
        : md`No package named ${shown} found (${checked}).`;
  }
}

function notes({ unread, oldest, ...whole }: MissingView): readonly Mrkdwn[] {
  return [
    ...(oldest === null
      ? []
      : [md`Package data from ${when(oldest)} or later. Ignored and deferred packages excluded.`]),
    ...(unread === 0 ? [] : [md`Couldn’t read the packages of ${count(unread, 'device')}.`]),
    ...completeness(whole, md`listed`),
  ];
}

function row({ line, packages }: MissingView['rows'][number]): Block {
  const { device } = line;
  const named = packages.slice(0, NAMED).map(packageWords);
  const left = packages.length - named.length;
  const all = joined(left === 0 ? named : [...named, md`${left} more`], ', ');
  const title = [
    strong(displayName(device)),
    md`#${device.id}`,
    ...present(connection(device), statedGroup(line)),
  ];
  return section(md`${joined(title, ' · ')}\n${all}`, deviceButton(device.id, 'Show', `:${device.id}`));
}

function packageWords({ name, displayName: shown, version, severity }: MissedPackage): Mrkdwn {
  const what = literal(shown === '' ? name : shown, SHOWN.label);
  const which = version === null || version === '' ? md`` : md` ${literal(version, SHOWN.label)}`;
  const how = severity === null || severity === '' ? md`` : md` (${severityWords(severity)})`;
  return md`${what}${which}${how}`;
}
