import { systemName } from '../../fleet/model/derived-fields.ts';
import {
  isEventKind,
  isPolicyEventKind,
  isProblemKind,
  kindWords,
  shownStoredReason,
} from '../../fleet/model/event-kinds.ts';
import { HOUR } from '../../lib/clock.ts';
import type { ChannelId } from '../../lib/ids.ts';
import type { AlertKind, AlertMember, ShownAlert } from '../../store/port/alert-records.ts';
import { deviceButton, scanButton } from '../device/device-buttons.ts';
import { actions, type Button, context, fields, section } from '../kit/blocks.ts';
import { formButton, runButton } from '../kit/buttons.ts';
import {
  escapeMrkdwn,
  inlineCode,
  joinMrkdwn,
  type Mrkdwn,
  md,
  plainName,
  singleLine,
  truncate,
  trustedMrkdwn,
} from '../kit/escape.ts';
import { type Block, DISPLAY_LIMIT, LIMIT, type RenderedMessage } from '../kit/limits.ts';
import { linkTo, mentionPerson } from '../kit/mentions.ts';
import { buildMessage, SIGN } from '../kit/message.ts';
import { relativeDate } from '../kit/timestamps.ts';
import { countText, listMrkdwn, policyNameText } from '../text/common-text.ts';
import {
  alertStateOf,
  alertSubjectsText,
  alertSubjectText,
  alertTitle,
  eventKindCount,
  eventKindNoun,
  eventVerb,
  ownerText,
} from './alert-text.ts';

/** The card of an alert in a channel. `group`: of its only device, where that is known. */
type AlertCardView = {
  readonly kind: 'alert';
  readonly alert: ShownAlert;
  readonly channel: ChannelId;
  readonly group?: string | null;
};

/** Characters of the error that a retry repeats in its reason. */
const RETRY_REASON = 200;

export function renderAlertCard(view: AlertCardView): RenderedMessage {
  const { alert, group = null } = view;
  const [first] = alert.shown;
  const title = alertTitle(alert);
  const isAlone = isOnOneDevice(alert);
  const facts =
    first === undefined
      ? []
      : [
          ...policyFact(first),
          ...(isAlone ? [...groupFact(group), ...systemFact(first), ...idFact(first)] : []),
        ];
  const owner = ownerText(alert);
  return buildMessage({
    text: title,
    body: [
      section(title),
      ...namesBlocks(alert),
      ...reasonBlocks(alert),
      ...fields(facts),
      ...(isPolicyEventKind(alert.kind) ? [context(OUTPUT_HINT)] : []),
      ...(isEventKind(alert.kind) ? [] : [context(UNKNOWN_EVENT)]),
      context(timesText(alert)),
      ...(isRetryable(alert) && retryButton(view) === null ? [context(TOO_MANY)] : []),
      ...(owner === null ? [] : [context(owner)]),
    ],
    footer: closingBlocks(view),
  });
}

const UNKNOWN_EVENT = md`Patchbay doesn’t know this event. See its details in the management service’s console.`;
const TOO_MANY = md`Too many packages for a retry button. Use the patch command.`;
const OUTPUT_HINT = md`Script output isn’t shown here: it may contain secrets. See it in the management service’s console.`;

const isOnOneDevice = ({ devices, members }: ShownAlert): boolean => devices === 1 || members === 1;

/** The devices that still fail, or all of them where none is fixed. */
function namesBlocks(alert: ShownAlert): readonly Block[] {
  const { devices, openDevices, shown } = alert;
  if (isOnOneDevice(alert)) return [];
  const isPart = openDevices > 0 && openDevices < devices;
  const open = isPart ? shown.filter(({ state }) => state === 'open') : shown;
  const names = alertSubjectsText(open, Math.max(isPart ? openDevices : devices, 1));
  if (names === null) return [];
  return [section(isPart ? md`Still failing: ${names}` : names)];
}

/** The errors or results as the service stated them, the most frequent first; they stay in every state. */
function reasonBlocks(alert: ShownAlert): readonly Block[] {
  const { kind, members } = alert;
  const isOver = isProblemKind(kind) && alert.open === 0;
  const stated = alert.reasons.flatMap(({ members: some, ...of }) => {
    const words = reasonText({ kind, ...of });
    return words === null ? [] : [{ words, some }];
  });
  const [only, ...others] = stated;
  if (only === undefined) return [];
  const isSame = others.length === 0 && only.some === members;
  const list = isSame
    ? only.words
    : joinMrkdwn(
        stated.map(({ words, some }) => md`${words} ${some}`),
        ' · ',
      );
  if (isPolicyEventKind(kind)) return [section(md`*Result:* ${list}`)];
  if (kind !== 'patch-failed') return [section(list)];
  const label =
    others.length === 0 ? (isOver ? md`Error was` : md`Error`) : isOver ? md`Errors were` : md`Errors`;
  return [section(md`*${label}:* ${list}`)];
}

export function reasonText(of: Pick<AlertMember, 'kind' | 'reason' | 'exitCode'>): Mrkdwn | null {
  if (isPolicyEventKind(of.kind)) return of.exitCode === null ? null : md`exit code ${of.exitCode}`;
  const reason = shownStoredReason(of);
  return reason === null ? null : inlineCode(reason, DISPLAY_LIMIT.sentence);
}

type Fact = { readonly label: string; readonly value: Mrkdwn };

/** The policy of the event. Only where the title names patches: otherwise it names the policy itself. */
function policyFact({ packages, policyId, policyName }: AlertMember): readonly Fact[] {
  if (packages.length === 0 || policyId === null) return [];
  return [{ label: 'Policy', value: policyNameText(policyId, policyName) }];
}

function groupFact(group: string | null): readonly Fact[] {
  return group === null || group === '' ? [] : [{ label: 'Group', value: escapeMrkdwn(group) }];
}

/** The operating system, in the same words as on the device's own card. */
function systemFact({ kind, operatingSystem }: AlertMember): readonly Fact[] {
  if (kind !== 'patch-failed' && kind !== 'device-added') return [];
  const name = systemName({ osFamily: null, osName: operatingSystem });
  return name === null || name === '' ? [] : [{ label: 'Operating system', value: escapeMrkdwn(name) }];
}

/** A new device is looked up by its ID until people know its name. */
function idFact({ kind, deviceId }: AlertMember): readonly Fact[] {
  return kind !== 'device-added' || deviceId === null ? [] : [{ label: 'ID', value: md`#${deviceId}` }];
}

/** When it happened and ended, how often, and by which number people name it. */
function timesText(alert: ShownAlert): Mrkdwn {
  const { kind, number, failures, firstAt, lastEnd, lastEndedAt, lastOwner } = alert;
  if (!isProblemKind(kind)) return md`${happenedText(alert)}${isGrowing(alert) ? more(alert) : md``}`;
  const often = failures > 1 ? md`, failed ${failures} times` : md``;
  const ended =
    alert.open > 0 || lastEnd === null ? md`` : md`, ${endedText(endOf(alert))} ${relativeDate(lastEnd)}`;
  const before =
    lastEndedAt === null ? md`` : md` It had ended ${relativeDate(lastEndedAt)}${hadText(lastOwner)}.`;
  return md`First failed ${relativeDate(firstAt)}${often}${ended}.${before} #${number}`;
}

const endOf = ({ kind, closed, members }: ShownAlert) =>
  ({ kind, state: closed === members ? 'closed' : 'fixed' }) as const;

/** The evidence, before its time. */
export function endedText({ kind, state }: Pick<AlertMember, 'kind' | 'state'>): Mrkdwn {
  if (state === 'closed') return md`device removed`;
  return kind === 'policy-failed' ? md`ran with exit code 0` : md`reported installed`;
}

function hadText(owner: ShownAlert['lastOwner']): Mrkdwn {
  return owner === null ? md`` : md`; ${mentionPerson(owner)} had it`;
}

function happenedText({ kind, members, devices, firstAt }: ShownAlert): Mrkdwn {
  if (members === 1) return md`${eventVerb(kind)} ${relativeDate(firstAt)}.`;
  // The title already has this number.
  return devices > 1 && members === devices
    ? md`First ${eventKindNoun(kind)} ${relativeDate(firstAt)}.`
    : md`${eventKindCount(kind, members)} since ${relativeDate(firstAt)}.`;
}

/** Whether others join the card. New devices are looked at one by one. */
const isGrowing = ({ kind, members }: ShownAlert): boolean => kind !== 'device-added' && members > 1;

function more({ kind }: ShownAlert): Mrkdwn {
  return md` Further ${eventKindNoun(kind)} alerts like these are added here for 15 minutes after the first.`;
}

/** Buttons for the alert's devices and for the alert. */
function closingBlocks(view: AlertCardView): readonly Block[] {
  const { alert, channel } = view;
  const [first] = alert.shown;
  if (first === undefined) return [];
  const acknowledge = alertStateOf(alert) === 'firing' ? acknowledgeButton(alert) : null;
  const isOver = isProblemKind(alert.kind) && alert.open === 0;
  if (!isOnOneDevice(alert))
    return actions(
      showAllButton(alert, channel),
      retryButton(view),
      acknowledge,
      isOver ? null : silencePatchButton(alert),
    );
  const device = alert.kind === 'device-removed' || isOver ? null : first.deviceId;
  return actions(
    isOver && first.deviceId !== null && alert.closed < alert.members ? deviceButton(first.deviceId) : null,
    device && deviceButton(device),
    device && scanButton(device),
    retryButton(view),
    acknowledge,
    isOver ? null : silenceDeviceButton(first),
  );
}

function showAllButton({ number, members }: ShownAlert, channel: ChannelId): Button | null {
  return runButton({
    action: 'alerts',
    label: `Show all ${members}`,
    command: 'alerts',
    input: { of: 'alert', number, channel },
  });
}

/** Whether the same packages can be requested again: a device that fails and the packages are known. */
function isRetryable({ kind, openDevices, packages }: ShownAlert): boolean {
  return kind === 'patch-failed' && openDevices > 0 && packages.length > 0;
}

/** Opens the form with the devices that fail as they are then, also those that the card does not name; null where a button can't carry the packages. */
function retryButton({ alert, channel }: AlertCardView): Button | null {
  if (!isRetryable(alert)) return null;
  const { id, openDevices, packages, reasons } = alert;
  const isAlone = isOnOneDevice(alert);
  const on = isAlone ? { device: alert.shown[0]?.deviceId } : { alerts: { alert: id, channel } };
  const failing = isAlone ? alert.shown.filter(({ state }) => state === 'open') : [{ packages }];
  const names = new Set(failing.flatMap((of) => of.packages.map(({ name }) => name)));
  const because = truncate(singleLine(reasons[0]?.reason ?? 'failed installation'), RETRY_REASON);
  const what = { packages: [...names], reason: `Retry after: ${because}` };
  const label = openDevices > 1 ? `Retry on ${openDevices} devices` : 'Retry';
  return formButton({ action: 'retry', label, command: 'patch', input: { ...on, ...what } });
}

const HOURS = 2;

/** Takes the whole alert. */
export function acknowledgeButton({ number }: Pick<ShownAlert, 'number'>, suffix = ''): Button | null {
  return runButton({
    action: `acknowledge${suffix}`,
    label: 'Acknowledge',
    command: 'acknowledge',
    input: { alert: number },
  });
}

/** What each device reports once: a silence for one device would hold nothing, so it covers all devices. */
const ONCE_PER_DEVICE: ReadonlyMap<AlertKind, string> = new Map([
  ['device-added', `Silence new-device alerts for ${HOURS} h`],
  ['device-removed', `Silence removed-device alerts for ${HOURS} h`],
]);

function silenceDeviceButton(alert: AlertMember): Button | null {
  const { kind, deviceId } = alert;
  if (deviceId === null) return null;
  const label = ONCE_PER_DEVICE.get(kind);
  const scope = { events: [kind], device: null, package: null };
  if (label !== undefined) return silenceButton('kind', { kind, name: null, label }, scope);
  return silenceButton('device', { kind, name: alertSubjectText(alert) }, { ...scope, device: deviceId });
}

/** Silences alerts of this kind about the same patch, on every device. */
function silencePatchButton({ kind, packages }: ShownAlert): Button | null {
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

/** What is left of a card whose alert is shown by a newer one. `link`: to that one; null where Slack gives none. */
type MovedAlertView = {
  readonly kind: 'alert-moved';
  readonly alert: ShownAlert;
  readonly link: string | null;
};

export function renderMovedAlert({ alert, link }: MovedAlertView): RenderedMessage {
  const { devices, packages } = alert;
  const names = packages.map(({ name, displayName }) => displayName ?? name);
  const what = names.length === 0 ? md`this alert` : listMrkdwn(names, 3);
  const now = devices > 1 ? md`, now ${countText(devices, 'device')}` : md``;
  const sentence = md`${trustedMrkdwn(SIGN.ended)} *Moved*: a newer card shows ${what}${now}.`;
  const to = link === null ? [] : [context(linkTo(link, md`Open the alert`))];
  return buildMessage({ text: sentence, body: [section(sentence), ...to], footer: [] });
}
