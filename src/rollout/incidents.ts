/** What happened to a rollout that its thread says in a line: pure. A line's name holds all that it says. */
import { type Instant, instant } from '../lib/clock.ts';
import { type PersonId, personId, type RequestId, requestId } from '../lib/ids.ts';
import type { Rollout, RolloutHold } from './progress.ts';

export type RolloutIncident =
  /** `wave` counts from 0. */
  | { readonly kind: 'wave-ended'; readonly wave: number }
  | {
      readonly kind: 'braked' | 'drifted' | 'unproven';
      readonly wave: number;
      readonly bad: number;
      readonly ended: number;
    }
  /** The last `sends` calls had no clear answer. */
  | { readonly kind: 'unanswered'; readonly wave: number; readonly sends: number }
  /** `by` null: Patchbay, because all changes are paused or it could not go on. */
  | { readonly kind: PersonIncident; readonly by: PersonId | null }
  /** The approval ended; it was held so long that it ended. */
  | { readonly kind: 'expired' | 'unresumed' }
  /** Patchbay was away since then. */
  | { readonly kind: 'away'; readonly from: Instant };

type PersonIncident = (typeof PERSON_INCIDENTS)[number];
const PERSON_INCIDENTS = [
  'paused',
  'resumed',
  'continued',
  /** Devices of the wave that are offline still have the command. */
  'continued-without',
  'stopped',
  'closed',
] as const;

type Progress = Pick<Rollout, 'wave' | 'hold'>;

/**
 * What happened between two states of a rollout, in order: a press lets it go on whose wave had ended. `by`: who pressed;
 * `isWithout`: to let the next wave begin while devices of this one are offline.
 */
export function incidentsBetween(
  before: Progress,
  after: Progress,
  { by = null, isWithout = false }: { readonly by?: PersonId | null; readonly isWithout?: boolean } = {},
): readonly RolloutIncident[] {
  const ended = after.wave > before.wave ? [{ kind: 'wave-ended', wave: before.wave } as const] : [];
  if (isWithout) return [{ kind: 'continued-without', by }];
  if (after.hold === before.hold) return ended;
  return [...ended, ...holdIncident(before, after, by)];
}

/** A gate needs no line of its own beside the wave that ended. */
function holdIncident(
  before: Progress,
  { hold, wave }: Progress,
  by: PersonId | null,
): readonly RolloutIncident[] {
  switch (hold?.kind) {
    case undefined:
      return by === null ? [] : [{ kind: isContinued(before.hold) ? 'continued' : 'resumed', by }];
    case 'paused':
      return [{ kind: 'paused', by: hold.by }];
    case 'braked':
      return [brakeIncident(hold, wave)];
    case 'unanswered':
      return [{ kind: 'unanswered', wave, sends: hold.sends }];
    case 'expired':
      return [{ kind: 'expired' }];
    case 'away':
      return [{ kind: 'away', from: hold.from }];
    case 'stopped':
      if (hold.why === 'unresumed') return [{ kind: 'unresumed' }];
      return [{ kind: hold.why === undefined || hold.why === 'rights' ? 'stopped' : hold.why, by: hold.by }];
    case 'gate':
      return [];
  }
}

/** What nothing went wrong with is continued; what somebody or something halted is resumed. */
export function isContinued(hold: RolloutHold | null): boolean {
  return hold?.kind === 'gate' || hold?.kind === 'expired' || hold?.kind === 'away';
}

function brakeIncident(
  { bad, ended, drifted, unproven }: Extract<RolloutHold, { kind: 'braked' }>,
  wave: number,
): RolloutIncident {
  const otherwise = unproven === true ? 'unproven' : 'braked';
  return { kind: drifted === true ? 'drifted' : otherwise, wave, bad, ended };
}

/** An incident of a request. */
export type RolloutLine = {
  readonly request: RequestId;
  readonly at: Instant;
  readonly incident: RolloutIncident;
};

/** The name of the line: the same for the same incident. */
export function writeLineId({ request, at, incident }: RolloutLine): string {
  return [request, at, incident.kind, ...factsOf(incident)].join('.');
}

function factsOf(incident: RolloutIncident): readonly (string | number)[] {
  switch (incident.kind) {
    case 'wave-ended':
      return [incident.wave];
    case 'braked':
    case 'drifted':
    case 'unproven':
      return [incident.wave, incident.bad, incident.ended];
    case 'unanswered':
      return [incident.wave, incident.sends];
    case 'expired':
    case 'unresumed':
      return [];
    case 'away':
      return [incident.from];
    default:
      return [incident.by ?? ''];
  }
}

/** Null: not a name that we wrote. */
export function readLineId(id: string): RolloutLine | null {
  const [request = '', at = '', kind = '', first = '', second = '', third = ''] = id.split('.');
  const incident = readIncident(kind, first, [Number(second), Number(third)]);
  return incident === null || request === '' || !/^\d+$/.test(at)
    ? null
    : { request: requestId(request), at: instant(Number(at)), incident };
}

function readIncident(
  kind: string,
  first: string,
  [second, third]: readonly [number, number],
): RolloutIncident | null {
  switch (kind) {
    case 'wave-ended':
      return { kind, wave: Number(first) };
    case 'braked':
    case 'drifted':
    case 'unproven':
      return { kind, wave: Number(first), bad: second, ended: third };
    case 'unanswered':
      return { kind, wave: Number(first), sends: second };
    case 'expired':
    case 'unresumed':
      return { kind };
    case 'away':
      return { kind, from: instant(Number(first)) };
    default: {
      const pressed = PERSON_INCIDENTS.find((one) => one === kind);
      return pressed === undefined ? null : { kind: pressed, by: first === '' ? null : personId(first) };
    }
  }
}
