/** Groups audit entries into activities: what Patchbay did about one request within seconds is one. Pure. */
import { later, SECOND } from '../../lib/clock.ts';
import type { AuditRecord } from '../../store/port/records.ts';
import type { AuditActivity } from '../../views/model.ts';

/** Maximum time between two steps of an activity, and of all of it. Times are shown to the minute. */
const MAX_GAP_MS = 10 * SECOND;
const MAX_SPAN_MS = 30 * SECOND;

type OpenActivity = {
  device: unknown;
  readonly entries: [AuditRecord, ...AuditRecord[]];
};

/**
 * Activities, newest first, each with its entries in order. What a person did is an activity of its own, and ends the
 * open ones of that request. `entries`: newest first; `known`: entries that may tell what a request was about.
 */
export function groupActivities(
  entries: readonly AuditRecord[],
  known: readonly AuditRecord[] = entries,
): readonly AuditActivity[] {
  const orders = new Map(known.filter(isRequest).map(({ subject, detail }) => [subject, detail]));
  const acts: OpenActivity[] = [];
  const open = new Map<string, readonly OpenActivity[]>();
  for (const entry of entries.toReversed()) {
    const { subject } = entry;
    const before = entry.actor === 'patchbay' && isFollowUpStep(entry) ? (open.get(subject) ?? []) : [];
    const same = toActivity(entry, before);
    if (same === undefined) {
      const act: OpenActivity = { device: deviceIn(entry), entries: [entry] };
      acts.push(act);
      open.set(subject, entry.actor === 'patchbay' ? [...before, act] : []);
    } else {
      same.entries.push(entry);
      same.device ??= deviceIn(entry);
    }
  }
  return acts.toReversed().map(({ entries: steps }) => ({
    entries: steps,
    order: orders.get(steps[0].subject) ?? null,
  }));
}

function isRequest({ action }: AuditRecord): boolean {
  return action === 'approval.requested' || action === 'operation.requested';
}

function isFollowUpStep({ action }: AuditRecord): boolean {
  return action.startsWith('operation.') || action.startsWith('approval.');
}

/** An entry without a device joins an activity about a device only if it is the only one. */
function toActivity(entry: AuditRecord, open: readonly OpenActivity[]): OpenActivity | undefined {
  const fitting = open.filter((act) => continuesActivity(act, entry));
  const exact = fitting.findLast(({ device }) => device === deviceIn(entry));
  return exact ?? (fitting.length === 1 ? fitting[0] : undefined);
}

/** Whether the entry follows within seconds, about the same device if both name one. */
function continuesActivity({ device, entries }: OpenActivity, entry: AuditRecord): boolean {
  const [first] = entries;
  const last = entries.at(-1) ?? first;
  if (entry.at > later(last.at, MAX_GAP_MS) || entry.at > later(first.at, MAX_SPAN_MS)) return false;
  const other = deviceIn(entry);
  return device === null || other === null || device === other;
}

function deviceIn({ detail }: AuditRecord): unknown {
  return detail['device'] ?? null;
}
