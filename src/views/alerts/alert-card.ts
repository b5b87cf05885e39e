import { systemName } from '../../fleet/model/derived-fields.ts';
import {
  isEventKind,
  isPolicyEventKind,
  kindWords,
  shownStoredReason,
} from '../../fleet/model/event-kinds.ts';
import { HOUR, type Instant } from '../../lib/clock.ts';
import type { ChannelId, PersonId } from '../../lib/ids.ts';
import type { AlertKind, AlertRecord, CardAcknowledgement } from '../../store/port/alert-records.ts';
import { deviceButton, scanButton } from '../device/device-buttons.ts';
import { actions, type Button, context, fields, section } from '../kit/blocks.ts';
import { formButton, runButton } from '../kit/buttons.ts';
import { escapeMrkdwn, inlineCode, type Mrkdwn, md, plainName, singleLine, truncate } from '../kit/escape.ts';
import { type Block, DISPLAY_LIMIT, LIMIT, type RenderedMessage } from '../kit/limits.ts';
import { mentionPerson } from '../kit/mentions.ts';
import { buildMessage } from '../kit/message.ts';
import { relativeDate } from '../kit/timestamps.ts';
import { policyNameText } from '../text/common-text.ts';
import {
  alertSubjectsText,
  alertSubjectText,
  alertTitle,
  eventKindCount,
  eventKindNoun,
  eventVerb,
  stormTitle,
} from './alert-text.ts';

/** `group`: of its device, where that is known. */
type AlertCardView = {
  readonly kind: 'alert';
  readonly alert: AlertRecord;
  readonly group?: string | null;
};

/** Characters of the error that a retry repeats in its reason. */
const RETRY_REASON = 200;

export function renderAlertCard({ alert, group = null }: AlertCardView): RenderedMessage {
  const title = alertTitle(alert);
  const retry = retryButton(alert, { device: alert.deviceId });
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

const TOO_MANY = md`Too many packages for a retry button. Use the patch command.`;

type Fact = { readonly label: string; readonly value: Mrkdwn };

/** The error or result as the service stated it; empty where it stated none. `label`: of a failed patch. */
function reasonBlocks(alert: AlertRecord, label: Mrkdwn = md`Error`): readonly Block[] {
  const { kind, exitCode } = alert;
  if (isPolicyEventKind(kind)) return exitCode === null ? [] : [section(md`*Result:* exit code ${exitCode}`)];
  const reason = shownStoredReason(alert);
  if (reason === null) return [];
  const said = inlineCode(reason, DISPLAY_LIMIT.sentence);
  return [section(kind === 'patch-failed' ? md`*${label}:* ${said}` : said)];
}

/** The policy of the event. Only where the title names patches: otherwise it names the policy itself. */
function policyFact({ packages, policyId, policyName }: AlertRecord): readonly Fact[] {
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
function outputHint({ kind }: AlertRecord): readonly Block[] {
  return isPolicyEventKind(kind) ? [context(OUTPUT_HINT)] : [];
}

const OUTPUT_HINT = md`Script output isn’t shown here: it may contain secrets. See it in the management service’s console.`;

function happened({ kind, happenedAt }: AlertRecord): readonly Block[] {
  return happenedAt === null ? [] : [context(md`${eventVerb(kind)} ${relativeDate(happenedAt)}.`)];
}

/** Buttons for the alert's device, where it still exists, and for the alert. */
function closingBlocks(alert: AlertRecord, retry: Button | null) {
  const { deviceId, kind } = alert;
  const target = kind === 'device-removed' ? null : deviceId;
  return actions(
    target && deviceButton(target),
    target && scanButton(target),
    retry,
    acknowledgeButton(alert),
    silenceDeviceButton(alert),
  );
}

/** Whether the same packages can be requested again: the device and the packages are known. */
function isRetryable({ kind, deviceId, packages }: AlertRecord): boolean {
  return kind === 'patch-failed' && deviceId !== null && packages.length > 0;
}

/** Opens the form with the same packages and why, on the device or the devices; null where a button can't carry that many. */
function retryButton(alert: AlertRecord, on: object, label = 'Retry'): Button | null {
  if (!isRetryable(alert)) return null;
  const { packages, reason } = alert;
  const because = truncate(singleLine(reason ?? 'failed installation'), RETRY_REASON);
  const what = { packages: packages.map(({ name }) => name), reason: `Retry after: ${because}` };
  return formButton({ action: 'retry', label, command: 'patch', input: { ...on, ...what } });
}

const HOURS = 2;

/** Acknowledges the alert and all others on its card. Null once it is acknowledged. */
function acknowledgeButton({ eventId, acknowledgedBy }: AlertRecord): Button | null {
  if (acknowledgedBy !== null) return null;
  return runButton({
    action: 'acknowledge',
    label: 'Acknowledge',
    command: 'acknowledge',
    input: { alert: eventId },
  });
}

function acknowledgedByText({ acknowledgedBy: by, acknowledgedAt: at }: AlertRecord): readonly Block[] {
  return by === null ? [] : [acknowledgedText(md`Acknowledged`, by, at)];
}

/** The same for a grouped card, on which some alerts may still be open. */
function acknowledgedCountText(
  alerts: number,
  acknowledgedCount: CardAcknowledgement | null,
): readonly Block[] {
  if (acknowledgedCount === null) return [];
  const { alerts: some, people, by, at } = acknowledgedCount;
  const last = people > 1 ? md`, last` : md``;
  const count = some < alerts ? md`${some} of ${alerts}` : md`All ${alerts}`;
  return [acknowledgedText(md`${count} acknowledged${last}`, by, at)];
}

function acknowledgedText(what: Mrkdwn, by: PersonId, at: Instant | null): Block {
  return context(md`${what} by ${mentionPerson(by)}${at === null ? md`` : md` ${relativeDate(at)}`}.`);
}

/** What each device reports once: a silence for one device would hold nothing, so it covers all devices. */
const ONCE_PER_DEVICE: ReadonlyMap<AlertKind, string> = new Map([
  ['device-added', `Silence new-device alerts for ${HOURS} h`],
  ['device-removed', `Silence removed-device alerts for ${HOURS} h`],
]);

function silenceDeviceButton(alert: AlertRecord): Button | null {
  const { kind, deviceId } = alert;
  if (deviceId === null) return null;
  const label = ONCE_PER_DEVICE.get(kind);
  const scope = { events: [kind], device: null, package: null };
  if (label !== undefined) return silenceButton('kind', { kind, name: null, label }, scope);
  return silenceButton('device', { kind, name: alertSubjectText(alert) }, { ...scope, device: deviceId });
}

/** Silences alerts of this kind about the same patch, on every device. */
function silencePatchButton({ kind, packages }: AlertRecord): Button | null {
  const name = packages[0]?.name ?? null;
  return silenceButton('patch', { kind, name }, { events: [kind], device: null, package: name });
}

type SilencedAlerts = { readonly kind: AlertKind; readonly name: string | null; readonly label?: string };

function silenceButton(suffix: string, about: SilencedAlerts, scope: object): Button | null {
  return runButton({
    action: `silence:${suffix}`,
    label: about.label ?? silenceLabel(about),
    command: 'silence',
    input: { ...scope, group: null, lasts: { for: HOURS * HOUR }, reason: null },
  });
}

/** Such as `Silence web-01 patch failures for 2 h`; a long name is cut, so that the hours stay. */
function silenceLabel({ kind, name }: SilencedAlerts): string {
  const end = `${kindWords(kind).many} for ${HOURS} h`;
  if (name === null) return `Silence ${end}`;
  const room = LIMIT.buttonText - `Silence  ${end}`.length;
  return `Silence ${plainName(name, room)} ${end}`;
}

/** A grouped alert: the same alert of many devices, on the card of `first`. */
type AlertGroupView = {
  readonly kind: 'alert-group';
  readonly first: AlertRecord;
  readonly channel: ChannelId;
  readonly alerts: number;
  /** Distinct devices. */
  readonly devices: number;
  /** The oldest alerts, as many as the card names. */
  readonly shown: readonly AlertRecord[];
  readonly taken: CardAcknowledgement | null;
};

/** Device names on a grouped card; a button lists the others. */
export const MAX_GROUP_NAMES = 10;

/** Draws the card. A grouped alert of one device is named, not counted. */
export function renderAlertGroup(view: AlertGroupView): RenderedMessage {
  const { first, alerts, devices, shown, taken, channel } = view;
  const isOpen = taken === null || taken.alerts < alerts;
  const title = stormTitle(first, devices);
  const names = alertSubjectsText(shown, Math.max(devices, 1));
  const all = runButton({
    action: 'alerts',
    label: `Show all ${alerts}`,
    command: 'alerts',
    input: { of: 'card', card: first.id, channel },
  });
  return buildMessage({
    text: title,
    body: [
      section(title),
      ...(names === null || devices === 1 ? [] : [section(names)]),
      // The group key holds the error, so that it is the same for all.
      ...reasonBlocks(first, devices > 1 ? md`Error on all of them` : md`Error`),
      ...fields(policyFact(first)),
      ...outputHint(first),
      context(
        md`${since(view)} Further ${matching(first.kind, first.packages.length)} are added to this message for 15 minutes after the first.`,
      ),
      ...(isRetryable(first) && devices > 0 && retryAllButton(view) === null ? [context(TOO_MANY)] : []),
      ...acknowledgedCountText(alerts, taken),
    ],
    footer: actions(
      all,
      retryAllButton(view),
      isOpen ? acknowledgeButton({ ...first, acknowledgedBy: null }) : null,
      silencePatchButton(first),
    ),
  });
}

/** Opens the form with all devices of the card as they are then, also those that it does not name. */
function retryAllButton({ first, channel, devices }: AlertGroupView): Button | null {
  const label = devices > 1 ? `Retry (${devices})` : 'Retry';
  return devices === 0 ? null : retryButton(first, { alerts: { card: first.id, channel } }, label);
}

function since({ first, alerts, devices }: AlertGroupView): Mrkdwn {
  const { kind, happenedAt } = first;
  if (happenedAt === null) return md`${eventKindCount(kind, alerts)}.`;
  // The title already has this number.
  return devices > 1 && alerts === devices
    ? md`First ${eventKindNoun(kind)} ${relativeDate(happenedAt)}.`
    : md`${eventKindCount(kind, alerts)} since ${relativeDate(happenedAt)}.`;
}

/** What the group key compares. */
function matching(kind: AlertRecord['kind'], packages: number): Mrkdwn {
  switch (kind) {
    case 'patch-failed':
      return packages === 1
        ? md`failures of the same patch with the same error`
        : md`failures of the same patches with the same error`;
    case 'policy-failed':
      return md`failures of the same policy with the same exit code`;
    default:
      return md`alerts like this one`;
  }
}
