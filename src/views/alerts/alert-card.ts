/** The card of one alert: about a device, a user or a policy. */

import { systemName } from '../../fleet/model/derived-fields.ts';
import { isEventKind } from '../../fleet/model/event-kinds.ts';
import { isPolicyEventKind, shownStoredReason } from '../../fleet/model/event-text.ts';
import type { AlertRecord } from '../../store/port/records.ts';
import { deviceButton, scanButton } from '../device/device-buttons.ts';
import { actions, type Button, context, fields, section } from '../kit/blocks.ts';
import { runButton } from '../kit/command-buttons.ts';
import { escapeMrkdwn, inlineCode, type Mrkdwn, md, plainName, singleLine, truncate } from '../kit/escape.ts';
import { DISPLAY_LIMIT } from '../kit/limits.ts';
import { buildMessage } from '../kit/message.ts';
import { relativeDate } from '../kit/timestamps.ts';
import type { Block, RenderedMessage } from '../models/rendered-model.ts';
import { policyNameText } from '../text/common-text.ts';
import { acknowledgeButton, acknowledgedByText, silenceDeviceButton } from './alert-buttons.ts';
import { alertSubjectText, alertTitle, eventVerb } from './alert-text.ts';

/** `group`: of its device, where that is known. */
export type AlertCardView = {
  readonly kind: 'alert';
  readonly alert: AlertRecord;
  readonly group?: string | null;
};

/** Characters of the error that a retry repeats in its reason. */
const RETRY_REASON = 200;

/** Draws an alert's card. `group`: the name of the device's group; null where it is not known. */
export function renderAlertCard({ alert, group = null }: AlertCardView): RenderedMessage {
  const title = alertTitle(alert);
  const retry = retryButton(alert);
  return buildMessage({
    text: title,
    body: [
      section(title),
      ...reasonBlocks(alert),
      ...fields([...policyFact(alert), ...groupFact(group), ...systemFact(alert), ...idFact(alert)]),
      ...outputHint(alert),
      ...(isEventKind(alert.kind) ? [] : [context(UNKNOWN_EVENT)]),
      ...happened(alert),
      ...(retry === null && isRetryable(alert) ? [context(TOO_MANY)] : []),
      ...acknowledgedByText(alert),
    ],
    footer: closingBlocks(alert, retry),
  });
}

const UNKNOWN_EVENT = md`Patchbay doesn’t know this event. See its details in the management service’s console.`;

export const TOO_MANY = md`Too many packages for a retry button. Use the patch command.`;

type Fact = { readonly label: string; readonly value: Mrkdwn };

/** The error or result as the service stated it; empty where it stated none. `label`: of a failed patch. */
export function reasonBlocks(alert: AlertRecord, label: Mrkdwn = md`Error`): readonly Block[] {
  const { kind, exitCode } = alert;
  if (isPolicyEventKind(kind)) return exitCode === null ? [] : [section(md`*Result:* exit code ${exitCode}`)];
  const reason = shownStoredReason(alert);
  if (reason === null) return [];
  const said = inlineCode(reason, DISPLAY_LIMIT.sentence);
  return [section(kind === 'patch-failed' ? md`*${label}:* ${said}` : said)];
}

/** The policy of the event. Only where the title names patches: otherwise it names the policy itself. */
export function policyFact({ packages, policyId, policyName }: AlertRecord): readonly Fact[] {
  if (packages.length === 0 || policyId === null) return [];
  return [{ label: 'Policy', value: policyNameText(policyId, policyName) }];
}

function groupFact(group: string | null): readonly Fact[] {
  return group === null || group === '' ? [] : [{ label: 'Group', value: escapeMrkdwn(group) }];
}

/** The operating system, in the same words as on the device's own card. */
function systemFact({ kind, operatingSystem }: AlertRecord): readonly Fact[] {
  if (kind !== 'patch-failed' && kind !== 'device-added') return [];
  const name = systemName({ osFamily: null, osName: operatingSystem });
  return name === null || name === '' ? [] : [{ label: 'Operating system', value: escapeMrkdwn(name) }];
}

/** A new device is looked up by its ID until people know its name. */
function idFact({ kind, deviceId }: AlertRecord): readonly Fact[] {
  return kind !== 'device-added' || deviceId === null ? [] : [{ label: 'ID', value: md`#${deviceId}` }];
}

/** For policy runs: where the script's output can be read. */
export function outputHint({ kind }: AlertRecord): readonly Block[] {
  return isPolicyEventKind(kind) ? [context(OUTPUT_HINT)] : [];
}

const OUTPUT_HINT = md`Script output isn’t shown here: it may contain secrets. See it in the management service’s console.`;

function happened({ kind, happenedAt }: AlertRecord): readonly Block[] {
  return happenedAt === null ? [] : [context(md`${eventVerb(kind)} ${relativeDate(happenedAt)}.`)];
}

/** Buttons for the alert's device, where it still exists, and for the alert. */
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

/** Whether the same packages can be requested again: the device and the packages are known. */
export function isRetryable({ kind, deviceId, packages }: AlertRecord): boolean {
  return kind === 'patch-failed' && deviceId !== null && packages.length > 0;
}

/** Requests the same packages again, with approval as for every installation. Null where a button can't carry that many. */
function retryButton(alert: AlertRecord): Button | null {
  if (!isRetryable(alert)) return null;
  const { deviceId, packages } = alert;
  const what = packages.length === 1 ? 'the patch' : `${packages.length} packages`;
  return runButton({
    action: 'retry',
    label: 'Request retry',
    command: 'patch',
    input: { device: deviceId, ...retriedInput(alert) },
    confirm: {
      title: 'Request a retry?',
      text: `This requests approval to install ${what} on ${plainName(alertSubjectText(alert))} again.`,
      confirm: 'Request approval',
    },
  });
}

/** What is installed again, and why. */
export function retriedInput({ packages, reason }: AlertRecord) {
  const because = truncate(singleLine(reason ?? 'failed installation'), RETRY_REASON);
  return { packages: packages.map(({ name }) => name), reason: `Retry after: ${because}` };
}
