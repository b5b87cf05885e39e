/** What the audit says of an entry, in words: the store keeps short names that other programs can count. */
import { FIELD_WORDS } from '../fleet/changes.ts';

const ACTIONS: ReadonlyMap<string, string> = new Map([
  ['operation.requested', 'asked for a command'],
  ['operation.issuing', 'was about to send it'],
  ['operation.accepted', 'sent it'],
  ['operation.queued', 'saw it in the queue'],
  ['operation.answered', 'saw the answer'],
  ['operation.verified', 'saw the proof'],
  ['operation.not_verified', 'saw no proof'],
  ['operation.refused', 'could not send it'],
  ['operation.unknown', 'lost the answer'],
  ['approval.requested', 'asked for approval'],
  ['approval.approved', 'approved'],
  ['approval.denied', 'denied'],
  ['approval.withdrawn', 'withdrew the request'],
  ['approval.reason-added', 'added a reason'],
  ['approval.expired', 'saw the request expire'],
  ['approval.unposted', 'could not post the card'],
  ['approval.sent-back', 'sent it back, as facts had changed'],
  ['approval.abandoned', 'gave the request up'],
  ['approval.claimed', 'took it up'],
  ['approval.refused', 'tried to decide and was refused'],
  ['changes.paused', 'paused all changes'],
  ['changes.resumed', 'ended the pause'],
  ['alerts.silenced', 'silenced alerts'],
  ['alerts.sound-again', 'ended a silence'],
  ['alerts.acknowledged', 'took an alert'],
  ['alerts.subscribed', 'subscribed to alerts'],
  ['alerts.unsubscribed', 'ended a subscription'],
  ['outcome.untold', 'could not tell how it ended'],
  ['alias.shared', 'gave everybody an alias'],
  ['alias.removed', 'took an alias from everybody'],
  ['saved.shared', 'gave everybody a saved target'],
  ['saved.removed', 'took a saved target from everybody'],
]);

/** As it is kept where it has no words yet. */
export function actionWords(action: string): string {
  return ACTIONS.get(action) ?? action;
}

/** Details that are sentences or names of their own. */
const BARE: ReadonlySet<string> = new Set(['command', 'evidence']);

/** Null: the value needs no label. */
export function labelWords(name: string): string | null {
  return BARE.has(name) ? null : name;
}

/** Numbers of devices as people write them, and fields by their names. */
export function valueWords(name: string, value: string): string {
  const parts = value.split(' ');
  if (name === 'device' || name === 'devices')
    return parts.map((id) => (/^\d+$/.test(id) ? `#${id}` : id)).join(' ');
  if (name === 'policy') return /^\d+$/.test(value) ? `#${value}` : value;
  return name === 'fields' ? parts.map(fieldWords).join(', ') : value;
}

function fieldWords(name: string): string {
  return new Map<string, string>(Object.entries(FIELD_WORDS)).get(name) ?? name;
}
