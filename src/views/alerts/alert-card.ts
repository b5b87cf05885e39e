/** What the watch tells a channel of one device, user or policy: first of all a patch that failed, a device that is new. */

import { systemName } from '../../fleet/model/derived-fields.ts';
import { isPolicyEventKind, shownStoredReason } from '../../fleet/model/event-text.ts';
import type { AlertRecord } from '../../store/port/records.ts';
import { deviceButton, scanButton } from '../device/device-buttons.ts';
import { actions, type Button, context, fields, section } from '../kit/blocks.ts';
import { runButton } from '../kit/command-buttons.ts';
import { escapeMrkdwn, inlineCode, type Mrkdwn, md, singleLine, truncate } from '../kit/escape.ts';
import { DISPLAY_LIMIT } from '../kit/limits.ts';
import { buildMessage } from '../kit/message.ts';
import { relativeDate } from '../kit/timestamps.ts';
import type { Block, RenderedMessage, View } from '../model.ts';
import { policyNameText } from '../text/common-text.ts';
import { acknowledgeButton, acknowledgedByText, silenceDeviceButton } from './alert-buttons.ts';
import { alertSubjectText, alertTitle, EVENT_VERBS } from './alert-text.ts';

/** Of the failure, in the reason of a retry. */
const RETRY_REASON = 200;

/** An alert's card. `group`: the device's group, as far as it is known. */
export function renderAlertCard({ alert, group = null }: Extract<View, { kind: 'alert' }>): RenderedMessage {
  const title = alertTitle(alert);
  const retry = retryButton(alert);
  return buildMessage({
    text: title,
    body: [
      section(title),
      ...reasonBlocks(alert),
      ...fields([...policyFact(alert), ...groupFact(group), ...systemFact(alert), ...idFact(alert)]),
      ...outputHint(alert),
      ...happened(alert),
      ...(retry === null && isRetryable(alert) ? [context(TOO_MANY)] : []),
      ...acknowledgedByText(alert),
    ],
    footer: closingBlocks(alert, retry),
  });
}

const TOO_MANY = md`Too many packages for a retry button. Use the patch command.`;

type Fact = { readonly label: string; readonly value: Mrkdwn };

/** Why, as the service said it; nothing where it said nothing. */
export function reasonBlocks(alert: AlertRecord): readonly Block[] {
  const { kind, exitCode } = alert;
  if (isPolicyEventKind(kind)) return exitCode === null ? [] : [section(md`*Result:* exit code ${exitCode}`)];
  const reason = shownStoredReason(alert);
  if (reason === null) return [];
  const said = inlineCode(reason, DISPLAY_LIMIT.sentence);
  return [section(kind === 'patch-failed' ? md`*Error:* ${said}` : said)];
}

/** Where the title names patches: the policy that installs them. */
export function policyFact({ packages, policyId, policyName }: AlertRecord): readonly Fact[] {
  if (packages.length === 0 || policyId === null) return [];
  return [{ label: 'Policy', value: policyNameText(policyId, policyName) }];
}

function groupFact(group: string | null): readonly Fact[] {
  return group === null || group === '' ? [] : [{ label: 'Group', value: escapeMrkdwn(group) }];
}

/** As on the device's own card. */
function systemFact({ kind, operatingSystem }: AlertRecord): readonly Fact[] {
  if (kind !== 'patch-failed' && kind !== 'device-added') return [];
  const name = systemName({ osFamily: null, osName: operatingSystem });
  return name === null || name === '' ? [] : [{ label: 'Operating system', value: escapeMrkdwn(name) }];
}

/** A new device is looked up by its ID until people know its name. */
function idFact({ kind, deviceId }: AlertRecord): readonly Fact[] {
  return kind !== 'device-added' || deviceId === null ? [] : [{ label: 'ID', value: md`#${deviceId}` }];
}

/** Where the rest can be read. */
export function outputHint({ kind }: AlertRecord): readonly Block[] {
  return isPolicyEventKind(kind) ? [context(OUTPUT_HINT)] : [];
}

const OUTPUT_HINT = md`Script output isn’t shown here: it may contain secrets. See it in the management service’s console.`;

function happened({ kind, happenedAt }: AlertRecord): readonly Block[] {
  return happenedAt === null ? [] : [context(md`${EVENT_VERBS[kind]} ${relativeDate(happenedAt)}.`)];
}

/** What can be done about its device, as far as that is there, and about the alert. */
function closingBlocks(alert: AlertRecord, retry: Button | null) {
  const { deviceId, kind } = alert;
  const isThere = deviceId !== null && kind !== 'device-removed';
  const target = isThere ? { id: deviceId, name: alertSubjectText(alert) } : null;
  return actions(
    target === null ? null : deviceButton(target.id),
    target === null ? null : scanButton(target),
    retry,
    acknowledgeButton(alert),
    silenceDeviceButton(alert),
  );
}

/** A failure whose device and packages are known. */
function isRetryable({ kind, deviceId, packages }: AlertRecord): boolean {
  return kind === 'patch-failed' && deviceId !== null && packages.length > 0;
}

/** Requests the same packages again, through approval like every installation; null also where they are too many. */
function retryButton(alert: AlertRecord): Button | null {
  if (!isRetryable(alert)) return null;
  const { deviceId, packages, reason } = alert;
  const because = truncate(singleLine(reason ?? 'failed installation'), RETRY_REASON);
  const what = packages.length === 1 ? 'the patch' : `${packages.length} packages`;
  return runButton({
    action: 'retry',
    label: 'Request retry',
    command: 'patch',
    input: {
      device: deviceId,
      packages: packages.map((item) => item.name),
      reason: `Retry after: ${because}`,
    },
    confirm: {
      title: 'Request a retry?',
      text: `This requests approval to install ${what} on ${truncate(singleLine(alertSubjectText(alert)), DISPLAY_LIMIT.label)} again.`,
      confirm: 'Request approval',
    },
  });
}
