/** What the watch tells a channel of one device, user or policy: first of all a patch that failed, a device that is new. */
import type { DeviceId } from '../ids.ts';
import type { NoticeRecord } from '../store/records.ts';
import { acknowledgeButton, silenceDeviceButton, takenBy } from './alert-buttons.ts';
import { ALERT_HEADINGS, alertSubject, patchNames } from './alert-words.ts';
import { actions, type Button, context, fields, section } from './blocks.ts';
import { deviceButton, runButton, scanButton } from './device-buttons.ts';
import { code, cut, heading, literal, type Mrkdwn, md, oneLine, trusted } from './escape.ts';
import { SHOWN } from './limits.ts';
import { message } from './message.ts';
import type { RenderedMessage } from './model.ts';
import { whenOr } from './when.ts';
import { count, known, policyWords } from './words.ts';

/** Of the failure, in the reason of a retry. */
const RETRY_REASON = 200;

export function renderNotice(notice: NoticeRecord): RenderedMessage {
  switch (notice.kind) {
    case 'patch-failed':
      return patchFailed(notice);
    case 'device-added':
      return deviceAdded(notice);
    default:
      return other(notice);
  }
}

/** Why, as the service said it; null where nothing was said and nothing was to be said. */
export function reasonWords({ kind, reason, exitCode }: NoticeRecord): Mrkdwn | null {
  const said = reason === null || reason === '' ? null : code(reason, SHOWN.sentence);
  if (kind === 'patch-failed') return said ?? md`no reason stated`;
  if (kind !== 'policy-failed' || exitCode === null) return said;
  return said === null ? md`exit code ${exitCode}` : md`exit code ${exitCode}, ${said}`;
}

function patchFailed(notice: NoticeRecord): RenderedMessage {
  const name = alertSubject(notice);
  const why = reasonWords(notice) ?? md``;
  const patches = patchNames(notice);
  const target = notice.deviceId === null ? null : { id: notice.deviceId, name };
  const retry = target === null ? null : retryButton(notice, target);
  const unsaid =
    target !== null && retry === null && notice.packages.length > 0
      ? [context(md`The packages are too many for a retry button: ask for them with the patch command.`)]
      : [];
  return message({
    text: md`Patch failed on ${literal(name)}: ${patches}, ${why}.`,
    body: [
      section(heading(ALERT_HEADINGS['patch-failed'], name)),
      ...fields([
        { label: 'Package', value: patches },
        { label: 'Operating system', value: known(notice.operatingSystem) },
      ]),
      section(md`*Reason*\n${why}`),
      context(md`Happened ${whenOr(notice.happenedAt, 'at no stated time')}.`),
      ...unsaid,
      ...takenBy(notice),
    ],
    end: ending(notice, retry),
  });
}

function deviceAdded(notice: NoticeRecord): RenderedMessage {
  const name = alertSubject(notice);
  return message({
    text: md`New device: ${literal(name)}.`,
    body: [
      section(heading(ALERT_HEADINGS['device-added'], name)),
      ...fields([
        { label: 'Operating system', value: known(notice.operatingSystem) },
        { label: 'Added', value: whenOr(notice.happenedAt, 'At no stated time') },
      ]),
      ...takenBy(notice),
    ],
    end: ending(notice, null),
  });
}

function other(notice: NoticeRecord): RenderedMessage {
  const { kind, packages, policyId, policyName, happenedAt } = notice;
  const words = ALERT_HEADINGS[kind];
  const name = alertSubject(notice);
  const why = reasonWords(notice);
  const facts = [
    ...(packages.length === 0 ? [] : [{ label: 'Package', value: patchNames(notice) }]),
    ...(policyId === null ? [] : [{ label: 'Policy', value: policyWords(policyId, policyName) }]),
  ];
  return message({
    text: md`${trusted(words)} ${literal(name)}${why === null ? md`` : md`: ${why}`}.`,
    body: [
      section(heading(words, name)),
      ...fields(facts),
      ...(why === null ? [] : [section(why)]),
      context(md`Happened ${whenOr(happenedAt, 'at no stated time')}.`),
      ...takenBy(notice),
    ],
    end: ending(notice, null),
  });
}

/** What can be done about its device, as far as that is there, and about the alert. */
function ending(notice: NoticeRecord, retry: Button | null) {
  const { deviceId, kind } = notice;
  const isThere = deviceId !== null && kind !== 'device-removed';
  const target = isThere ? { id: deviceId, name: alertSubject(notice) } : null;
  return actions(
    target === null ? null : deviceButton(target.id),
    target === null ? null : scanButton(target),
    retry,
    acknowledgeButton(notice),
    silenceDeviceButton(notice),
  );
}

/** Asks for the same packages again, through approval like every installation; none named, no retry. */
function retryButton(
  { packages, reason }: NoticeRecord,
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
