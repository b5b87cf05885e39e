/** Which alert a new member joins: one with the same cause and home that still takes members. Pure. */
import { createHash } from 'node:crypto';
import { isPolicyEventKind, isProblemKind, shownStoredReason } from '../../fleet/model/event-kinds.ts';
import { DAY, type Instant, later, MINUTE } from '../../lib/clock.ts';
import type { ChannelId } from '../../lib/ids.ts';
import { fold } from '../../lib/text.ts';
import type { AlertEvent, AlertRecord } from '../../store/port/alert-records.ts';

/** How long after its first event an alert that reports no problem takes others. */
export const NOTED_TOGETHER_MS = 15 * MINUTE;
/** How long after its end an alert opens again, instead of a new one beginning. */
const REOPENED_MS = DAY;

/** Equal for members of one alert. `home` is part of it: who takes an alert of one channel takes none of another's. */
export function alertKey(event: AlertEvent, home: ChannelId | null): string {
  const cause = isProblemKind(event.kind) ? problemCause(event) : notedCause(event);
  return digest([home, event.kind, ...cause]);
}

/** One package: whatever the error says. Several: the same words. None: only the device's own. */
function problemCause({
  kind,
  packages,
  deviceId,
  deviceName,
  policyId,
  reason,
}: AlertEvent): readonly unknown[] {
  if (kind === 'policy-failed' && policyId !== null) return ['policy', policyId];
  const names = [...new Set(packages.map(({ name }) => fold(name)))].toSorted();
  if (names.length === 0) return ['device', deviceId ?? deviceName];
  if (names.length === 1) return ['package', ...names];
  const words = reason === null ? '' : withoutDetails(reason);
  return words === '' ? ['packages', ...names] : ['words', words];
}

/** The error without what differs from device to device: paths and numbers. */
function withoutDetails(reason: string): string {
  return fold(reason.replace(/(?:\b[a-z]:)?[\\/][^\s"'`,;)]+/gi, ' ').replace(/\d+/g, ' '));
}

/** New devices are looked at one by one, and a run of no policy may be anything: each is an alert of its own. */
function notedCause({ id, kind, packages, policyId, exitCode, reason }: AlertEvent): readonly unknown[] {
  if (kind === 'device-added' || (isPolicyEventKind(kind) && policyId === null)) return [id];
  const names = packages.map(({ name }) => fold(name)).toSorted();
  return [names, policyId, exitCode, fold(shownStoredReason({ kind, reason }) ?? '')];
}

function digest(identity: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 32);
}

/** Whether a member may be added. An alert of the future was opened by a wrong clock: nobody looks at its card any more. */
export function takesMembers({ state, openedAt, endedAt }: AlertRecord, now: Instant): boolean {
  if (state === 'noted')
    return now < later(openedAt, NOTED_TOGETHER_MS) && openedAt <= later(now, NOTED_TOGETHER_MS);
  return endedAt === null || now < later(endedAt, REOPENED_MS);
}
