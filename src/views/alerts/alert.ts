/** What the watch tells a channel of one device, user or policy: first of all a patch that failed, a device that is new. */
import { isOfPolicy, shownReason } from '../../fleet/script-output.ts';
import { systemName } from '../../fleet/system.ts';
import type { DeviceId } from '../../ids.ts';
import type { AlertRecord } from '../../store/records.ts';
import { deviceButton, scanButton } from '../device/device-buttons.ts';
import { actions, type Button, context, fields, section } from '../kit/blocks.ts';
import { code, cut, heading, literal, type Mrkdwn, md, oneLine, trusted } from '../kit/escape.ts';
import { SHOWN } from '../kit/limits.ts';
import { message } from '../kit/message.ts';
import { runButton } from '../kit/run-button.ts';
import { whenOr } from '../kit/when.ts';
import type { Block, RenderedMessage } from '../model.ts';
import { count, known, policyWords } from '../words.ts';
import { acknowledgeButton, silenceDeviceButton, takenBy } from './alert-buttons.ts';
import { ALERT_HEADINGS, alertSubject, patchNames } from './alert-words.ts';

/** Of the failure, in the reason of a retry. */
const RETRY_REASON = 200;

export function renderAlert(alert: AlertRecord): RenderedMessage {
  switch (alert.kind) {
    case 'patch-failed':
      return patchFailed(alert);
    case 'device-added':
      return deviceAdded(alert);
    default:
      return other(alert);
  }
}

/** Why, as the service said it; null where nothing was said and nothing was to be said. */
export function reasonWords(alert: AlertRecord): Mrkdwn | null {
  const { kind, exitCode } = alert;
  const reason = shownReason(alert);
  const said = reason === null ? null : code(reason, SHOWN.sentence);
  if (kind === 'patch-failed') return said ?? md`no reason stated`;
  if (!isOfPolicy(kind)) return said;
  return exitCode === null ? md`no exit code stated` : md`exit code ${exitCode}`;
}

/** Where the rest can be read. */
export function outputHint({ kind }: AlertRecord): readonly Block[] {
  return isOfPolicy(kind) ? [context(OUTPUT_HINT)] : [];
}

const OUTPUT_HINT = md`The script’s output may hold secrets, so it is not shown here. It is in the service’s console.`;

function patchFailed(alert: AlertRecord): RenderedMessage {
  const name = alertSubject(alert);
  const why = reasonWords(alert) ?? md``;
  const patches = patchNames(alert);
  const target = alert.deviceId === null ? null : { id: alert.deviceId, name };
  const retry = target === null ? null : retryButton(alert, target);
  const unsaid =
    target !== null && retry === null && alert.packages.length > 0
      ? [context(md`The packages are too many for a retry button: ask for them with the patch command.`)]
      : [];
  return message({
    text: md`Patch failed on ${literal(name)}: ${patches}, ${why}.`,
    body: [
      section(heading(ALERT_HEADINGS['patch-failed'], name)),
      ...fields([
        { label: 'Package', value: patches },
        { label: 'Operating system', value: system(alert) },
      ]),
      section(md`*Reason*\n${why}`),
      context(md`Happened ${whenOr(alert.happenedAt, 'at no stated time')}.`),
      ...unsaid,
      ...takenBy(alert),
    ],
    end: ending(alert, retry),
  });
}

/** As on the device's own card. */
function system({ operatingSystem }: AlertRecord): Mrkdwn {
  return known(systemName({ osFamily: null, osName: operatingSystem }));
}

function deviceAdded(alert: AlertRecord): RenderedMessage {
  const name = alertSubject(alert);
  return message({
    text: md`New device: ${literal(name)}.`,
    body: [
      section(heading(ALERT_HEADINGS['device-added'], name)),
      ...fields([
        { label: 'Operating system', value: system(alert) },
        { label: 'Added', value: whenOr(alert.happenedAt, 'At no stated time') },
      ]),
      ...takenBy(alert),
    ],
    end: ending(alert, null),
  });
}

function other(alert: AlertRecord): RenderedMessage {
  const { kind, packages, policyId, policyName, happenedAt } = alert;
  const words = ALERT_HEADINGS[kind];
  const name = alertSubject(alert);
  const why = reasonWords(alert);
  const facts = [
    ...(packages.length === 0 ? [] : [{ label: 'Package', value: patchNames(alert) }]),
    ...(policyId === null ? [] : [{ label: 'Policy', value: policyWords(policyId, policyName) }]),
  ];
  return message({
    text: md`${trusted(words)} ${literal(name)}${why === null ? md`` : md`: ${why}`}.`,
    body: [
      section(heading(words, name)),
      ...fields(facts),
      ...(why === null ? [] : [section(why)]),
      ...outputHint(alert),
      context(md`Happened ${whenOr(happenedAt, 'at no stated time')}.`),
      ...takenBy(alert),
    ],
    end: ending(alert, null),
  });
}

/** What can be done about its device, as far as that is there, and about the alert. */
function ending(alert: AlertRecord, retry: Button | null) {
  const { deviceId, kind } = alert;
  const isThere = deviceId !== null && kind !== 'device-removed';
  const target = isThere ? { id: deviceId, name: alertSubject(alert) } : null;
  return actions(
    target === null ? null : deviceButton(target.id),
    target === null ? null : scanButton(target),
    retry,
    acknowledgeButton(alert),
    silenceDeviceButton(alert),
  );
}

/** Asks for the same packages again, through approval like every installation; none named, no retry. */
function retryButton(
  { packages, reason }: AlertRecord,
  { id, name }: { readonly id: DeviceId; readonly name: string },
): Button | null {
  if (packages.length === 0) return null;
  const because = cut(oneLine(reason ?? 'a failed installation'), RETRY_REASON);
  return runButton({
    action: 'retry',
    label: packages.length === 1 ? 'Retry the patch' : 'Retry the patches',
    command: 'patch',
    input: { device: id, packages: packages.map((item) => item.name), reason: `Retry after: ${because}` },
    confirm: {
      title: 'Ask to try again?',
      text: `This asks for approval to install ${packages.length === 1 ? 'the patch' : count(packages.length, 'package')} on ${cut(oneLine(name), SHOWN.label)} again.`,
      confirm: 'Ask for approval',
    },
  });
}
